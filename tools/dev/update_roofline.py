"""Make the table of docs/roofline.md from the newest records of limits and kernels under bench/results/.

What a kernel has to do is counted by hand here: 512-bit instructions for eight residues, how many of them are products
of 52 bits, and words that it reads and writes for one residue, key rows included. Its bound is the longest of three
times that the limits of the same processor allow: all instructions at the rate of additions, products at theirs, and
words as memory of 8 MiB is read in order.

Usage: python tools/dev/update_roofline.py [--check]   (--check: exit 1 if the page is not up to date)
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass

from bench_records import ROOT, newest, records, replaced

PAGE = ROOT / "docs" / "roofline.md"
LOG_N = 16
N = 1 << LOG_N
ROWS = 8  # stages within a row


@dataclass(frozen=True)
class Work:
    """512-bit instructions for eight residues, loads and stores apart, and how many of them are products of 52 bits."""

    instructions: float
    products: float

    def __add__(self, other: Work) -> Work:
        return Work(self.instructions + other.instructions, self.products + other.products)

    def __rmul__(self, times: float) -> Work:
        return Work(times * self.instructions, times * self.products)


# Butterflies are for two vectors. Forward, with both results open, or closed, or half of each; with a twist; backward;
# backward with products of both results.
OPEN, CLOSED, MIXED, TWISTED = 0.5 * Work(7, 4), 0.5 * Work(8, 4), 0.5 * Work(7.5, 4), 0.5 * Work(10, 7)
INVERSE, UNTWISTED = 0.5 * Work(9, 3), 0.5 * Work(11, 6)
REDUCE_ONCE, PERMUTE = Work(2, 0), Work(1, 0)
SHOUP, BARRETT = Work(4, 3), Work(7, 4)

COLUMNS = 6 * MIXED + CLOSED + OPEN
ROW = TWISTED + 2 * MIXED + OPEN + TWISTED + 3 * CLOSED + 4 * PERMUTE + 2 * REDUCE_ONCE
INVERSE_ROW = 6 * INVERSE + 2 * UNTWISTED + 4 * PERMUTE
INVERSE_COLUMNS = 7 * INVERSE + UNTWISTED + REDUCE_ONCE

# Sums of products: one more term, and what makes a residue of the sum, up to multiples or quite. Then a y's share of z.
TERM, SUM, REDUCED = Work(2, 2), Work(8, 5), Work(12, 5)
SHARE = Work(2, 1)


def convert(sources: int, destinations: int) -> Work:
    return sources * (SHOUP + REDUCE_ONCE + SHARE) + destinations * (REDUCED + (sources + 1) * TERM)


def columns(sources: int, destinations: int) -> Work:
    """With the stages across rows: the product that ends an inverse transform is y's own."""
    return sources * (INVERSE_COLUMNS + SHARE) + destinations * (SUM + (sources + 1) * TERM + COLUMNS)


def inner_product(digits: int) -> Work:
    return 2 * (digits * TERM + REDUCED)


# kernel in the record -> (name, work for one limb, words for one)
KERNELS = {
    "ntt/16": ("NTT", COLUMNS + ROW, 4),
    "intt/16": ("inverse NTT", INVERSE_ROW + INVERSE_COLUMNS, 4),
    "nttRows/16": ("rows of an NTT", ROW, 2),
    "inttRows/16": ("rows of an inverse NTT", INVERSE_ROW, 2),
    "add/16": ("add", Work(3, 0), 3),
    "negate/16": ("negate", Work(3, 0), 2),
    "mul/16": ("mul", BARRETT + 2 * REDUCE_ONCE, 3),
    "mac/16": ("mac", BARRETT + 2 * REDUCE_ONCE + Work(1, 0), 4),
    "mulScalar/16": ("mul_scalar", SHOUP + REDUCE_ONCE, 2),
    "subMulScalar/16": ("sub_mul_scalar", Work(2, 0) + SHOUP + REDUCE_ONCE, 3),
    "automorphism/16": ("automorphism", Work(2, 0), 2.5),
    "baseConvert/16/8/4": ("base_convert, 8 limbs to 4", convert(8, 4), 8 + 4),
    "baseConvert/16/8/16": ("base_convert, 8 limbs to 16", convert(8, 16), 8 + 16),
    "baseConvertColumns/16/8/4": ("base_convert_columns, 8 to 4", columns(8, 4), 8 + 4),
    "baseConvertColumns/16/8/16": ("base_convert_columns, 8 to 16", columns(8, 16), 8 + 16),
    "innerProduct/16/3": ("inner_product, 3 digits", inner_product(3), 3 * 3 + 2),
    "innerProduct/16/8": ("inner_product, 8 digits", inner_product(8), 3 * 8 + 2),
    "weightedSum/16/8": ("weighted_sum, 8 terms", inner_product(8), 3 * 8 + 4),
}


def table() -> str | None:
    if not records("limits") or not records("kernels"):
        return None
    (limits_path, limits), (kernels_path, kernels) = newest("limits"), newest("kernels")
    rates = {figure["name"]: figure for figure in limits["figures"]}
    times = {figure["name"]: figure["real_time"] for figure in kernels["figures"]}
    if "avx512ifma/ntt/16" not in times or "madd52" not in rates:
        return None
    clock, bandwidth = rates["clock"]["GHz"], rates["readInOrder/8"]["bytes_per_second"] * 1e-9
    links = [f"[{path.stem}](../{path.relative_to(ROOT)})" for path in (limits_path, kernels_path)]
    lines = [
        f"{kernels['cpu']}, one core, {clock:.2f} GHz; in order {bandwidth:.0f} GB/s over 8 MiB and "
        f"{rates['readInOrder/128']['bytes_per_second'] * 1e-9:.0f} GB/s over 128 MiB, by columns "
        f"{rates['writeByColumns/128']['bytes_per_second'] * 1e-9:.0f} GB/s; {rates['add']['per ns']:.1f} additions "
        f"and {rates['madd52']['per ns']:.1f} products of 52 bits a ns ({', '.join(links)}). N = 2^16, limbs of 50 "
        "bits, the AVX-512 IFMA row.",
        "",
        "| kernel | instructions a residue | products | bytes | bound | us at the bound | us measured | share |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for kernel, (name, work, words) in KERNELS.items():
        vectors = N / 8 * 1e-3
        bounds = {
            "issue": work.instructions * vectors / rates["add"]["per ns"],
            "products": work.products * vectors / rates["madd52"]["per ns"],
            "memory": 8 * words * N / bandwidth * 1e-3,
        }
        which, measured = max(bounds, key=lambda name: bounds[name]), times[f"avx512ifma/{kernel}"]
        lines.append(
            f"| {name} | {work.instructions / 8:.1f} | {work.products / 8:.1f} | {8 * words:.0f} | {which} | "
            f"{bounds[which]:.1f} | {measured:.1f} | {100 * bounds[which] / measured:.0f} % |"
        )
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    made = table()
    if made is None:
        print("no records of limits and kernels of a processor with AVX-512 IFMA; run 'make bench'", file=sys.stderr)
        return 0
    page = PAGE.read_text()
    wanted = replaced(page, "roofline", made)
    if arguments.check:
        return int(page != wanted)
    PAGE.write_text(wanted)
    return 0


if __name__ == "__main__":
    sys.exit(main())
