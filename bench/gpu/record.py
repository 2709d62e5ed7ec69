"""Makes one record of what bench/gpu/run.sh left in a folder.

Usage: python bench/gpu/record.py FOLDER [--bundle BUNDLE] [--commit COMMIT] [-o bench/results/DATE-gpu-NAME.json]

Adds what each program has to move (model.py), at the rate of a copy that was measured beside it: the floor, and how
near the measured time is to it.
"""

from __future__ import annotations

import argparse
import csv
import datetime
import json
import subprocess
from pathlib import Path
from typing import Any

import model
import numpy as np

ROOT = Path(__file__).resolve().parents[2]


def read(path: Path) -> Any:
    return json.loads(path.read_text())


def floor(program: Path, gb_per_s: float) -> dict[str, Any]:
    """Megabytes that a program's launches move once, and the milliseconds that takes, by stage."""
    sections = model.read_sections(program)
    stages = json.loads(sections["program"]).get("stages", [])
    log_n, found = model.launches(np.frombuffer(sections["launches"], np.uint64))
    rows = model.summary(log_n, found, stages, gb_per_s)
    by_stage: dict[str, float] = {}
    for row in rows:
        by_stage[row["stage"]] = by_stage.get(row["stage"], 0.0) + row["ms"]
    total = next(row for row in rows if row["stage"] == "all")
    by_stage.pop("all")
    picked = {name: total[name] for name in ("launches", "nodes", "arena_mb", "constants_mb", "keys_mb", "mb", "ms")}
    return picked | {"stages_ms": {stage: ms for stage, ms in by_stage.items() if stage}}


def program(folder: Path, name: str, bundle: Path, gb_per_s: float) -> dict[str, Any]:
    cuda, cpu = read(folder / f"{name}.cuda.json"), read(folder / f"{name}.cpu.json")
    hashes = {line.split()[0] for line in (folder / f"{name}.sha256").read_text().splitlines()}
    if len(hashes) != 1:
        raise SystemExit(f"{name}: the residues of the two backends differ")
    least = floor(bundle / "programs" / name / "program.sluice", gb_per_s)
    taken = ("runs_ms", "warm_ms", "stages", "load_ms", "keys_ms", "key_bytes", "prepare_ms", "arena_bytes")
    return {
        "program": cuda["program"],
        "backend": cuda["backend"],
        **{key: cuda[key] for key in taken if key in cuda},
        "same_residues_as": cpu["backend"],
        "sha256": hashes.pop(),
        "precision": read(folder / f"{name}.precision.json"),
        "floor": least,
        "share_of_floor": least["ms"] / cuda["warm_ms"]["median"],
        "cpu_ms": cpu["warm_ms"]["median"],
        "keygen_seconds": read(folder / f"{name}.keygen.json")["seconds"],
        "profile": sorted(read(folder / f"{name}.profile.json")["kernels"], key=lambda kernel: -kernel["ms"]),
    }


def last_line(path: Path) -> str:
    return path.read_text().strip().splitlines()[-1].strip("= ")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--bundle", type=Path, default=ROOT / "build" / "gpu-bundle")
    parser.add_argument("--commit", default="HEAD", help="that was measured")
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    folder, today = arguments.folder, datetime.date.today().isoformat()
    device = next(csv.DictReader((folder / "device.csv").read_text().splitlines(), skipinitialspace=True))
    kernels = read(folder / "kernels.json")
    commit = subprocess.run(
        ["git", "rev-parse", arguments.commit], cwd=ROOT, check=True, capture_output=True, text=True
    )
    names = sorted(path.name.removesuffix(".cuda.json") for path in folder.glob("*.cuda.json"))
    record = {
        "benchmark": "gpu",
        "date": today,
        "device": device,
        "commit": commit.stdout.strip(),
        "command": "bench/gpu/run.sh",
        "limits": read(folder / "limits.json"),
        "kernels": kernels,
        "conformance": last_line(folder / "conformance.log"),
        "sanitizer": {path.name.split(".")[1]: last_line(path) for path in sorted(folder.glob("sanitizer.*.log"))},
        "programs": {name: program(folder, name, arguments.bundle, kernels["copy_gb_per_s"]) for name in names},
    }
    short = device["name"].split()[-1].lower()
    output = arguments.output or ROOT / "bench" / "results" / f"{today}-gpu-{short}.json"
    output.write_text(json.dumps(record, indent=1) + "\n")
    for name, found in record["programs"].items():
        print(f"{name:16} {found['warm_ms']['median']:8.3f} ms, floor {found['floor']['ms']:7.3f} ms")
    print(output)


if __name__ == "__main__":
    main()
