"""Sluice and Lattigo on the same operations, in turns: ours, Lattigo, ours, Lattigo; never both in memory.

Usage: python bench/peers/measure.py --build build/release [--turns N] [--repeat N] [--short]   (prints JSON)

A side's time of an operation is the median over its turns of the median in each. Without Go there is only our side, and
a line on stderr that says so. --short leaves out linear transforms and the polynomial, which take minutes and 10 GiB.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from compare import compare
from lattigo_side import build_lattigo, measure_lattigo
from sluice_side import SluiceSide


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=5, help="runs of an operation in a turn")
    parser.add_argument("--short", action="store_true")
    arguments = parser.parse_args()
    ours: list[list[dict[str, Any]]] = []
    lattigo: list[list[dict[str, Any]]] = []
    with tempfile.TemporaryDirectory() as folder:
        binary, reason = build_lattigo(Path(folder))
        if binary is None:
            print(f"bench: Lattigo is SKIPPED, so no row has a ratio: {reason}", file=sys.stderr)
        side = SluiceSide(arguments.build.resolve(), Path(folder), not arguments.short, arguments.repeat + 1)
        for _ in range(arguments.turns):
            ours.append(side.measure())
            if binary is not None:
                lattigo.append(measure_lattigo(binary, not arguments.short, arguments.repeat))
    figures: dict[str, Any] = {"rows": compare(ours, lattigo, "lattigo")}
    print(json.dumps(figures | ({"skipped": {"lattigo": reason}} if reason else {})))


if __name__ == "__main__":
    main()
