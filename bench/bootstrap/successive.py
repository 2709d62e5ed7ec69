"""Fifty bootstraps of one ciphertext, one after the other, at N = 2^16: the precision after each.

Usage: python bench/bootstrap/successive.py --build build/release [--presets NAME,NAME] [--count N]   (prints JSON)

What Bossuat et al. show in figures 8 and 9. All threads; four minutes, 20 GB of memory and 7 GB of disk a preset.
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

PRESETS = ("set1", "insecure_set1", "insecure_set2", "insecure_set3", "insecure_set5")


def measure(build: Path, name: str, count: int, folder: str) -> dict[str, Any]:
    environment = dict(os.environ, PYTHONPATH=str(build / "python"))
    command = [sys.executable, "-m", "sluice", "bench", "successive", "--preset", name, "--count", str(count), "--json"]
    command += ["--folder", folder, *(["--insecure"] if name.startswith("insecure") else [])]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=environment)
    said = json.loads(done.stdout)
    kinds = ("mean_bits", "worst_bits", "bits_of_mean", "bits_of_std")
    columns = {kind: [round(one["precision"][kind], 2) for one in said["bootstraps"]] for kind in kinds}
    return {key: said[key] for key in ("preset", "log_n", "slots")} | columns


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--presets", default=",".join(PRESETS))
    parser.add_argument("--count", type=int, default=50)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        names = arguments.presets.split(",")
        rows = [measure(arguments.build.resolve(), name, arguments.count, folder) for name in names]
    print(json.dumps({"presets": rows}))


if __name__ == "__main__":
    main()
