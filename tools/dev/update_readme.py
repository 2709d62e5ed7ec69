"""Make the README's measured table from the newest records under bench/results/.

Usage: python tools/dev/update_readme.py [--check]   (--check: exit 1 if the README is not up to date)
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "examples"))  # the demo prints the same rows

from breast_cancer_result import rows

BEGIN, END = "<!-- measured:begin -->", "<!-- measured:end -->"


def newest(what: str) -> tuple[Path, dict[str, Any]]:
    """The newest record of one benchmark; names begin with the date."""
    paths = sorted((ROOT / "bench" / "results").glob(f"*-cpu-{what}.json"))
    if not paths:
        sys.exit(f"no record bench/results/*-cpu-{what}.json; run 'make bench'")
    return paths[-1], json.loads(paths[-1].read_text())


def table() -> str:
    path, record = newest("breast_cancer")
    figures = record["figures"]
    lines = [
        f"Breast cancer (scikit-learn, 569 x 30): logistic regression trained in the clear, its "
        f"{figures['rows']} test rows scored in one ciphertext. {record['cpu']}, {record['cores']} cores, "
        f"{record['date']} ([record]({path.relative_to(ROOT)})).",
        "",
        "| | |",
        "|---|---|",
        *(f"| {name} | {value} |" for name, value in rows(figures)),
    ]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    path = ROOT / "README.md"
    text = path.read_text()
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    updated = f"{before}{BEGIN}\n{table()}\n{END}{after}"
    if arguments.check and updated != text:
        print("README.md: the measured table is not that of bench/results; run tools/dev/update_readme.py")
        return 1
    path.write_text(updated)
    return 0


if __name__ == "__main__":
    sys.exit(main())
