"""Bootstraps by precision at N = 2^16: what `sluice bench bootstrap --bits` finds, forecast and measured.

Usage: python bench/bootstrap/precision.py --build build/release [--bits B,B]   (prints JSON)

One thread; two to three minutes, 20 GB of memory and 8 GB of disk each.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

BITS = "12,16,20,24,28,32"


def measure(build: Path, bits: str, folder: str) -> dict[str, Any]:
    environment = dict(os.environ, PYTHONPATH=str(build / "python"), SLUICE_THREADS="1")
    command = [sys.executable, "-m", "sluice", "bench", "bootstrap", "--bits", bits, "--runs", "3", "--json"]
    command += ["--folder", folder]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=environment)
    row: dict[str, Any] = {"wanted_bits": float(bits)}
    return row | json.loads(done.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--bits", default=BITS)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = [measure(arguments.build.resolve(), bits, folder) for bits in arguments.bits.split(",")]
    print(json.dumps({"bootstraps": rows}))


if __name__ == "__main__":
    main()
