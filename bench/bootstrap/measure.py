"""Bootstraps with names at N = 2^16, one after the other, and Lattigo's own parameters beside one that is like them.

Usage: python bench/bootstrap/measure.py --build build/release [--presets NAME,NAME] [--runs N]   (prints JSON)

All of one thread. Ours is `sluice bench bootstrap`, whose server is a process of its own; Lattigo's is its own program,
with the same kind of values and the same definitions of precision. One preset is measured again with levels that share
no limbs. Without Go there is only our side, and a line on stderr that says so. 20 GB of memory, and 20 GB of disk for
keys.
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

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench" / "peers"))

from lattigo_side import build_lattigo  # noqa: E402

PRESETS = ("set1", "sparse_set1", "insecure_set1", "insecure_set2", "insecure_set3", "insecure_set5")
# Ours of the same ring, secrets and modulus left.
PEERS = {"sparse_set1": "N16QP1546H192H32"}


# Both with limbs that levels share and with limbs of their own.
NESTED = ("insecure_set1",)


def measure_preset(build: Path, name: str, runs: int, folder: str, *options: str) -> dict[str, Any]:
    environment = dict(os.environ, PYTHONPATH=str(build / "python"), SLUICE_THREADS="1")
    command = [sys.executable, "-m", "sluice", "bench", "bootstrap", "--preset", name, "--runs", str(runs), "--json"]
    command += ["--folder", folder, *options, *(["--insecure"] if name.startswith("insecure") else [])]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=environment)
    row: dict[str, Any] = json.loads(done.stdout)
    return row


def measure_peer(binary: Path, literal: str, runs: int) -> dict[str, Any]:
    command = [str(binary), f"-bootstrap={literal}", f"-repetitions={runs}"]
    environment = dict(os.environ, GOMAXPROCS="1")
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=environment)
    row: dict[str, Any] = json.loads(done.stdout)
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--presets", default=",".join(PRESETS))
    parser.add_argument("--runs", type=int, default=4, help="the first is cold")
    arguments = parser.parse_args()
    rows, nested, lattigo = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        binary, reason = build_lattigo(Path(folder))
        if binary is None:
            print(f"bench: Lattigo is SKIPPED: {reason}", file=sys.stderr)
        for name in arguments.presets.split(","):
            rows.append(measure_preset(arguments.build.resolve(), name, arguments.runs, folder))
            if name in NESTED:
                row = measure_preset(arguments.build.resolve(), name, arguments.runs, folder, "--nested")
                ratio = {"beside": name, "ratio": round(row["warm_ms"] / rows[-1]["warm_ms"], 2)}
                nested.append(row | ratio | {"limb_ratio": round(sum(row["limbs"]) / sum(rows[-1]["limbs"]), 2)})
            if binary is not None and name in PEERS:
                peer = measure_peer(binary, PEERS[name], arguments.runs)
                lattigo.append(peer | {"beside": name, "ratio": round(peer["warm_ms"] / rows[-1]["warm_ms"], 2)})
    print(
        json.dumps(
            {"presets": rows, "nested": nested, "lattigo": lattigo}
            | ({"skipped": {"lattigo": reason}} if reason else {})
        )
    )


if __name__ == "__main__":
    main()
