"""Make the table of docs/roofline.md from the newest records of limits and kernels under bench/results/.

What a kernel has to do is counted by hand here: 512-bit instructions for eight residues, and words that it reads and
writes for one, roots and key rows included. Its bound is the longer of the two times that the limits of the same
processor allow: instructions two a cycle, words as memory of 8 MiB is read in order.

Usage: python tools/dev/update_roofline.py [--check]   (--check: exit 1 if the page is not up to date)
"""

from __future__ import annotations

import argparse
import sys

from bench_records import ROOT, newest, records, replaced

PAGE = ROOT / "docs" / "roofline.md"
LOG_N = 16
N = 1 << LOG_N
ROWS = 8  # stages within a row

# A butterfly of two vectors has 9 instructions. The last four stages permute and pick their roots, 16 and 8 for two
# vectors; reductions to [0, q) are 4 a vector forward, and the product that ends an inverse transform is 3.
STAGE = 4.5
# Of one vector: a y and its share of z; a reduced sum but for its terms; one term.
SOURCE, SUM, TERM = 8, 17, 2


def convert(sources: int, destinations: int) -> float:
    return SOURCE * sources + destinations * (SUM + TERM * sources)


def columns(sources: int, destinations: int) -> float:
    """With the stages across rows, and the product that ends an inverse transform instead of y's own."""
    return convert(sources, destinations) + (sources + destinations) * STAGE * (LOG_N - ROWS)


# kernel in the record -> (name, instructions for eight residues of one limb, words for one)
KERNELS = {
    "ntt/16": ("NTT", STAGE * LOG_N + 12, 4),
    "intt/16": ("inverse NTT", STAGE * LOG_N + 11, 4),
    "nttRows/16": ("rows of an NTT", STAGE * ROWS + 12, 4),
    "inttRows/16": ("rows of an inverse NTT", STAGE * ROWS + 8, 4),
    "add/16": ("add", 3, 3),
    "negate/16": ("negate", 3, 2),
    "mul/16": ("mul", 11, 3),
    "mac/16": ("mac", 12, 4),
    "mulScalar/16": ("mul_scalar", 6, 2),
    "subMulScalar/16": ("sub_mul_scalar", 8, 3),
    "automorphism/16": ("automorphism", 2, 2.5),
    "baseConvert/16/8/4": ("base_convert, 8 limbs to 4", convert(8, 4), 8 + 4),
    "baseConvert/16/8/16": ("base_convert, 8 limbs to 16", convert(8, 16), 8 + 16),
    "baseConvertColumns/16/8/4": ("base_convert_columns, 8 to 4", columns(8, 4), 8 + 4),
    "baseConvertColumns/16/8/16": ("base_convert_columns, 8 to 16", columns(8, 16), 8 + 16),
    "innerProduct/16/3": ("inner_product, 3 digits", 4 * 3 + 30, 3 * 3 + 2),
    "innerProduct/16/8": ("inner_product, 8 digits", 4 * 8 + 30, 3 * 8 + 2),
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
        f"{rates['writeByColumns/128']['bytes_per_second'] * 1e-9:.0f} GB/s ({', '.join(links)}). N = 2^16, limbs of "
        "50 bits, the AVX-512 IFMA row.",
        "",
        "| kernel | instructions a residue | bytes a residue | bound | us at the bound | us measured | share |",
        "|---|---|---|---|---|---|---|",
    ]
    for kernel, (name, instructions, words) in KERNELS.items():
        work = instructions / 8 * N / (2 * clock) * 1e-3
        memory = 8 * words * N / bandwidth * 1e-3
        bound, measured = max(work, memory), times[f"avx512ifma/{kernel}"]
        lines.append(
            f"| {name} | {instructions / 8:.1f} | {8 * words:.0f} | {'issue' if work > memory else 'memory'} | "
            f"{bound:.1f} | {measured:.1f} | {100 * bound / measured:.0f} % |"
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
