"""The seeds of launch lists, for make_seeds.py: some that are right, and one step beyond each limit of the format."""

from __future__ import annotations

import struct
from collections.abc import Iterator

Seed = tuple[str, bytes]  # its name, its content

SCALAR, LIMB, SLOT, CONSTANT_ROW, KEY_ROW_B, KEY_ROW_A = (kind << 56 for kind in range(6))
LIMB_KERNEL, BASE_CONVERT, BASE_CONVERT_COLUMNS, NTT, INTT, BEGIN_STAGE = range(6)


def launches() -> Iterator[Seed]:
    """Of the sample program: lists of launches, each a list of words after the header."""

    def words(launch_words: list[list[int]], kernels: tuple[int, ...] = (), log_n: int = 6, version: int = 1) -> bytes:
        header = [0x31686C6563756C73, version | log_n << 32, len(kernels), len(launch_words)]
        content = [*header, *kernels, *(word for launch in launch_words for word in launch)]
        return struct.pack(f"<{len(content)}Q", *content)

    def head(kind: int, count: int, number: int = 0) -> int:
        return kind | number << 8 | count << 32

    def at(*pairs: tuple[int, int]) -> list[int]:
        return [limb << 32 | slot for limb, slot in pairs]

    kernel = 2 << 16 | 6 << 32  # elements, 2 outputs of 6 parameters
    one = [LIMB | 1, SLOT | 12, SLOT | 13, SLOT | 12, CONSTANT_ROW, KEY_ROW_A | 1 << 32 | 1 << 16 | 3]
    two = [LIMB, SLOT | 59, SLOT | 14, SCALAR | 99, CONSTANT_ROW | 1, KEY_ROW_B | 4]

    def sizes(*pairs: tuple[int, int]) -> list[int]:
        return [destinations << 32 | sources for destinations, sources in pairs]

    convert = [head(BASE_CONVERT, 2, 1), *sizes((2, 1)), *at((2, 16), (3, 17), (0, 18))]
    # The second conversion writes what the first one reads.
    columns = [
        head(BASE_CONVERT_COLUMNS, 2, 2),
        *sizes((1, 2), (1, 1)),
        *at((2, 16), (3, 18), (0, 18), (1, 19), (0, 26)),
    ]
    transform = [head(NTT, 2), *at((0, 20), (1, 21), (0, 20), (1, 22))]
    yield "empty.launches", words([])
    yield (
        "sample.launches",
        words(
            [[head(LIMB_KERNEL, 2), *one, *two], convert, columns, transform, [head(INTT, 1), *at((4, 23), (4, 24))]],
            (kernel,),
        ),
    )
    yield "rows.launches", words([[head(LIMB_KERNEL, 1, 1), *two[:3]]], (kernel, 1 | 1 << 16 | 3 << 32))
    yield "refused-version.launches", words([], version=2)
    yield "refused-degree.launches", words([], log_n=7)
    yield "refused-kernel.launches", words([[head(LIMB_KERNEL, 1, 1), *one]], (kernel,))
    yield "refused-kernel-kind.launches", words([], (kernel | 2,))
    yield "refused-outputs.launches", words([], (6 << 16 | 6 << 32,))
    yield "refused-parameters.launches", words([], (2 << 16 | (2**14 + 1) << 32,))
    yield "refused-parameter-kind.launches", words([[head(LIMB_KERNEL, 1), *one[:5], 6 << 56]], (kernel,))
    yield "refused-scalar.launches", words([[head(LIMB_KERNEL, 1), *one[:5], 2**50]], (kernel,))
    yield "refused-key-row.launches", words([[head(LIMB_KERNEL, 1), *one[:5], KEY_ROW_B | 5]], (kernel,))
    yield "refused-output.launches", words([[head(LIMB_KERNEL, 1), one[0], one[4], *one[2:]]], (kernel,))
    yield "refused-written-twice.launches", words([[head(LIMB_KERNEL, 2), *one, two[0], *one[1:]]], (kernel,))
    yield "refused-kind.launches", words([[head(6, 1)]])
    yield "refused-no-limbs.launches", words([[head(NTT, 0)]])
    yield "refused-stage.launches", words([[head(BEGIN_STAGE, 0)]])
    yield "refused-other-limb.launches", words([[head(NTT, 1), *at((0, 20), (1, 20))]])
    yield "refused-slot.launches", words([[head(NTT, 1), *at((0, 60), (0, 20))]])
    yield "refused-overlap.launches", words([[head(BASE_CONVERT, 1, 1), *sizes((1, 1)), *at((2, 18), (0, 18))]])
    yield (
        "refused-earlier-written.launches",
        words([[head(BASE_CONVERT, 2, 2), *sizes((1, 1), (1, 1)), *at((2, 16), (2, 17), (0, 18), (0, 16))]]),
    )
    yield (
        "refused-limb-twice.launches",
        words([[head(BASE_CONVERT, 1, 1), *sizes((1, 2)), *at((2, 16), (0, 18), (0, 19))]]),
    )
    yield "refused-no-sources.launches", words([[head(BASE_CONVERT, 1, 1), *sizes((1, 0)), *at((2, 16))]])
    yield "refused-no-conversions.launches", words([[head(BASE_CONVERT, 1), *at((2, 16))]])
    yield (
        "refused-conversions.launches",
        words([[head(BASE_CONVERT, 1, 2**24 - 1), *sizes((1, 1)), *at((2, 16), (0, 18))]]),
    )
    yield (
        "refused-destinations.launches",
        words([[head(BASE_CONVERT, 2, 2), *sizes((2**32 - 1, 1), (3, 1)), *at((2, 16), (3, 17), (0, 18), (0, 19))]]),
    )
    yield (
        "refused-sources.launches",
        words([[head(BASE_CONVERT, 2, 2), *sizes((1, 2**32 - 1), (1, 3)), *at((2, 16), (3, 17), (0, 18), (0, 19))]]),
    )
    yield "refused-truncated.launches", words([transform])[:-8]
    yield "refused-more.launches", words([transform]) + bytes(8)
    yield "refused-counts.launches", words([])[:16] + struct.pack("<2Q", 2**16, 2**61)
