"""What a program for CUDA devices has to move, launch by launch: the floor that times are measured against.

Usage: python bench/gpu/model.py PROGRAM.sluice [--gb-per-s 4300] [--json]

Reads the launch list of an artifact that was compiled with `--target cuda`. A launch moves each row of its parameters
once: slots that it reads or writes, rows of constants and of keys; a base conversion moves its sources three times
(inverse columns read and write them, the conversion reads them) and writes its destinations. Roots are not counted, nor
what several blocks of a launch read again. This is arithmetic, not a measurement.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np

LIMB_KERNEL, BASE_CONVERT, COLUMNS, NTT, INTT, STAGE = range(6)
SCALAR, LIMB, SLOT, CONSTANT, KEY_B, KEY_A = range(6)


def read_sections(path: Path) -> dict[str, bytes]:
    """The sections of a container (docs/formats.md), unchecked: the runtime checks."""
    content = path.read_bytes()
    count = int.from_bytes(content[16:20], "little")
    sections = {}
    for entry in range(24, 24 + 32 * count, 32):
        tag = content[entry : entry + 8].rstrip(b"\0").decode()
        offset, size = (int.from_bytes(content[entry + at : entry + at + 8], "little") for at in (8, 16))
        sections[tag] = content[offset : offset + size]
    return sections


def launches(words: np.ndarray) -> tuple[int, list[dict[str, Any]]]:
    """log N, and for each launch its stage, kind, limbs written and rows moved by origin."""
    log_n, kernel_count, launch_count = int(words[1]) >> 32, int(words[2]), int(words[3])
    kernels = [(int(word) & 0xFF, int(word) >> 16 & 0xFFFF, int(word) >> 32) for word in words[4 : 4 + kernel_count]]
    at, stage, found = 4 + kernel_count, -1, []
    for _ in range(launch_count):
        head = int(words[at])
        kind, number, count = head & 0xFF, head >> 8 & 0xFFFFFF, head >> 32
        at += 1
        if kind == STAGE:
            stage = number
            continue
        if kind == LIMB_KERNEL:
            is_rows, outputs, parameters = kernels[number]
            table = words[at : at + count * parameters]
            at += count * parameters
            kinds = np.bincount((table >> np.uint64(56)).astype(np.int64), minlength=6)
            moved = {
                "arena": int(kinds[SLOT]),
                "constants": int(kinds[CONSTANT]),
                "keys": int(kinds[KEY_B] + kinds[KEY_A]),
            }
            name = "limb kernels with transforms" if is_rows else "limb kernels"
            found.append({"stage": stage, "name": name, "limbs": count * outputs, "nodes": 1, "moved": moved})
            continue
        if kind in (BASE_CONVERT, COLUMNS):
            sources = int((words[at : at + number] & np.uint64(0xFFFFFFFF)).sum())
            at += number + count + sources
            moved = {"arena": 3 * sources + count}
            found.append({"stage": stage, "name": "base conversions", "limbs": count, "nodes": 2, "moved": moved})
        else:
            at += 2 * count
            found.append(
                {"stage": stage, "name": "transforms", "limbs": count, "nodes": 2, "moved": {"arena": 4 * count}}
            )
    if at != words.size:
        raise SystemExit(f"the launch list has {words.size} words, but its launches have {at}")
    return log_n, found


def summary(log_n: int, found: list[dict[str, Any]], stages: list[str], gb_per_s: float) -> list[dict[str, Any]]:
    """A row for each kind of launch in each stage, and one for all."""
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for launch in found:
        stage = stages[launch["stage"]] if launch["stage"] >= 0 else ""
        for key in ((stage, launch["name"]), ("all", "all")):
            row = rows.setdefault(key, defaultdict(int))
            row["launches"] += 1
            row["nodes"] += launch["nodes"]
            row["limbs"] += launch["limbs"]
            for origin, count in launch["moved"].items():
                row[f"{origin}_mb"] += count * 2**log_n * 8 / 1e6
    for row in rows.values():
        row["mb"] = row["arena_mb"] + row["constants_mb"] + row["keys_mb"]
        row["ms"] = row["mb"] / gb_per_s
    return [{"stage": stage, "kind": kind} | dict(row) for (stage, kind), row in rows.items()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("--gb-per-s", type=float, default=4300, help="that the device's memory moves")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    sections = read_sections(arguments.program)
    if "launches" not in sections:
        raise SystemExit(f"{arguments.program} was not compiled with --target cuda")
    stages = json.loads(sections["program"]).get("stages", [])
    log_n, found = launches(np.frombuffer(sections["launches"], np.uint64))
    rows = summary(log_n, found, stages, arguments.gb_per_s)
    if arguments.json:
        print(json.dumps(rows, indent=2))
        return
    columns = ("launches", "nodes", "limbs", "arena MB", "consts MB", "keys MB", "ms")
    print(f"{'stage':16}{'kind':32}" + "".join(f"{column:>10}" for column in columns))
    for row in rows:
        print(
            f"{row['stage']:16}{row['kind']:32}{row['launches']:10}{row['nodes']:10}{row['limbs']:10}"
            f"{row['arena_mb']:10.0f}{row['constants_mb']:10.0f}{row['keys_mb']:10.0f}{row['ms']:10.2f}"
        )


if __name__ == "__main__":
    main()
