"""Run the benchmarks and record them: bench/results/<date>-<cpu|gpu>-<what>.json.

Each record carries what is needed to judge it: date, CPU, compiler, commit, command, and every figure with its unit.
Usage: python bench/run.py --build build/release [--only kernels|operations|breast_cancer]
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "bench" / "results"


def output_of(*command: str) -> str:
    """First line that a command prints, or 'unknown'."""
    try:
        text = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return text.strip().splitlines()[0] if text.strip() else "unknown"


def cpu_name() -> str:
    """The processor as the kernel names it, with the instruction sets that select a kernel row."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    fields = dict((part.strip() for part in line.split(":", 1)) for line in lines if ":" in line)
    flags = fields.get("flags", "").split()
    rows = [flag for flag in ("avx2", "avx512ifma") if flag in flags]
    return f"{fields.get('model name', 'unknown')} ({', '.join(rows) or 'no vector row'})"


def environment(command: list[str]) -> dict[str, Any]:
    return {
        "date": datetime.date.today().isoformat(),
        "cpu": cpu_name(),
        "cores": os.cpu_count(),
        "system": platform.platform(),
        "compiler": output_of("clang-22", "--version"),
        "commit": output_of("git", "rev-parse", "HEAD"),
        "modified": output_of("git", "status", "--porcelain", "--untracked-files=no") != "unknown",
        "command": " ".join(command),
    }


def google_benchmark(binary: Path) -> tuple[list[str], Any]:
    """Every figure of a Google Benchmark binary."""
    command = [str(binary), "--benchmark_format=json"]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    figures = [
        {"name": row["name"], "real_time": row["real_time"], "unit": row["time_unit"]}
        for row in json.loads(run.stdout)["benchmarks"]
    ]
    return command, figures


def kernels(build: Path) -> tuple[list[str], Any]:
    """Every row of the kernel table that runs on this CPU."""
    return google_benchmark(build / "bin" / "bench-kernels")


def operations(build: Path) -> tuple[list[str], Any]:
    """What circuits are made of, on the CPU backend."""
    return google_benchmark(build / "bin" / "bench-operations")


def breast_cancer(build: Path) -> tuple[list[str], Any]:
    """The demo: the whole walk through files, client and server in processes of their own."""
    command = [sys.executable, "examples/breast_cancer.py", "--encryptions", "16", "--repeat", "9"]
    paths = dict(os.environ, PYTHONPATH=str(build / "python"))
    subprocess.run(command, cwd=ROOT, env=paths, capture_output=True, text=True, check=True)
    return command, json.loads((ROOT / "demo-out" / "result.json").read_text())


BENCHMARKS: dict[str, Callable[[Path], tuple[list[str], Any]]] = {
    "kernels": kernels,
    "operations": operations,
    "breast_cancer": breast_cancer,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--only", choices=sorted(BENCHMARKS))
    arguments = parser.parse_args()
    RESULTS.mkdir(parents=True, exist_ok=True)
    for name, benchmark in BENCHMARKS.items():
        if arguments.only not in (None, name):
            continue
        command, figures = benchmark(arguments.build.resolve())
        shown = [part.replace(str(ROOT) + "/", "") for part in command]
        shown[0] = "python" if shown[0].endswith("/python") else shown[0]
        record = {"benchmark": name, **environment(shown), "figures": figures}
        path = RESULTS / f"{record['date']}-cpu-{name}.json"
        path.write_text(json.dumps(record, indent=1) + "\n")
        print(path.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
