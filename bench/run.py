"""Run the benchmarks and record them: bench/results/<date>-<cpu|gpu>-<what>.json.

Each record carries what is needed to judge it: date, CPU, compiler, commit, command, and every figure with its unit and
the backend that made it. The commit must be what was run, so that a modified tree is refused.
Usage: python bench/run.py --build build/release [--allow-modified]
       [--only limits|kernels|operations|rewrites|forecast|breast_cancer|peers|bootstrap|successive|precision]
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import subprocess
import sys
import time
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
    """The processor as the kernel names it. What it could do says nothing of what was used: see the backend."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    fields = dict((part.strip() for part in line.split(":", 1)) for line in lines if ":" in line)
    return fields.get("model name", "unknown")


def modified_files() -> list[str]:
    """Files that differ from the commit, new ones too, but for what a record itself changes."""
    command = ["git", "status", "--porcelain", "--", ".", ":!bench/results", ":!README.md", ":!docs/roofline.md"]
    lines = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return [line[3:] for line in lines]


def busy_seconds() -> tuple[float, float]:
    """Time so far, that all cores were busy and that processes started here and finished took of it."""
    ticks = [int(word) for word in Path("/proc/stat").read_text().split("\n")[0].split()[1:9]]
    own = os.times()
    busy = sum(ticks) - ticks[3] - ticks[4]  # idle, waiting for a disk
    return busy / os.sysconf("SC_CLK_TCK"), own.user + own.system + own.children_user + own.children_system


def environment(command: list[str], modified: bool) -> dict[str, Any]:
    return {
        "date": datetime.date.today().isoformat(),
        "cpu": cpu_name(),
        "cores": os.cpu_count(),
        "system": platform.platform(),
        "compiler": output_of("clang-22", "--version"),
        "commit": output_of("git", "rev-parse", "HEAD"),
        "modified": modified,
        "command": " ".join(command),
    }


def google_benchmark(binary: Path) -> tuple[list[str], Any]:
    """Every figure of a Google Benchmark binary; the label of one, if it has any, is its backend."""
    command = [str(binary), "--benchmark_format=json"]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    figures = [
        {"name": row["name"], "real_time": row["real_time"], "unit": row["time_unit"]}
        | {name: row[name] for name in ("GHz", "per ns", "bytes_per_second") if name in row}
        | ({"backend": row["label"]} if "label" in row else {})
        for row in json.loads(run.stdout)["benchmarks"]
    ]
    return command, figures


def kernels(build: Path) -> tuple[list[str], Any]:
    """Every row of the kernel table that runs on this CPU."""
    return google_benchmark(build / "bin" / "bench-kernels")


def limits(build: Path) -> tuple[list[str], Any]:
    """What one core can do at best: instructions and memory."""
    return google_benchmark(build / "bin" / "bench-limits")


def operations(build: Path) -> tuple[list[str], Any]:
    """What circuits are made of, on the CPU backend."""
    return google_benchmark(build / "bin" / "bench-operations")


def script(path: str, build: Path) -> tuple[list[str], Any]:
    """What a program of ours prints; its stderr is shown."""
    command = [sys.executable, path, "--build", str(build)]
    run = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return command, json.loads(run.stdout)


def breast_cancer(build: Path) -> tuple[list[str], Any]:
    """The demo: the whole walk through files, client and server in processes of their own."""
    command = [sys.executable, "examples/breast_cancer.py", "--encryptions", "16", "--repeat", "9"]
    paths = dict(os.environ, PYTHONPATH=str(build / "python"))
    subprocess.run(command, cwd=ROOT, env=paths, capture_output=True, text=True, check=True)
    return command, json.loads((ROOT / "demo-out" / "result.json").read_text())


def rewrites(build: Path) -> tuple[list[str], Any]:
    """One program with and without the rewrites of the rns dialect."""
    command = [sys.executable, "bench/programs/rewrites.py", "--build", str(build)]
    paths = dict(os.environ, PYTHONPATH=str(build / "python"))
    run = subprocess.run(command, cwd=ROOT, env=paths, capture_output=True, text=True, check=True)
    return command, json.loads(run.stdout)


def peers(build: Path) -> tuple[list[str], Any]:
    """The same operations by Lattigo, in turns; what it says on stderr (a peer left out, say) is shown."""
    return script("bench/peers/measure.py", build)


def forecast(build: Path) -> tuple[list[str], Any]:
    """What `sluice inspect` expects of programs after a calibration, and what they take, on one thread."""
    command = [sys.executable, "bench/programs/forecast.py", "--build", str(build)]
    paths = dict(os.environ, PYTHONPATH=str(build / "python"))
    run = subprocess.run(command, cwd=ROOT, env=paths, capture_output=True, text=True, check=True)
    return command, json.loads(run.stdout)


def bootstrap(build: Path) -> tuple[list[str], Any]:
    """Presets of bootstraps at N = 2^16, and Lattigo's beside them, on one thread: half an hour, and 20 GB."""
    return script("bench/bootstrap/measure.py", build)


def successive(build: Path) -> tuple[list[str], Any]:
    """Fifty bootstraps of one ciphertext in turn, of five presets, on all threads: twenty minutes, and 20 GB."""
    return script("bench/bootstrap/successive.py", build)


def precision(build: Path) -> tuple[list[str], Any]:
    """Bootstraps that a precision asks for, on one thread: a quarter of an hour, and 20 GB."""
    return script("bench/bootstrap/precision.py", build)


BENCHMARKS: dict[str, Callable[[Path], tuple[list[str], Any]]] = {
    "limits": limits,
    "kernels": kernels,
    "operations": operations,
    "rewrites": rewrites,
    "forecast": forecast,
    "breast_cancer": breast_cancer,
    "peers": peers,
    "bootstrap": bootstrap,
    "successive": successive,
    "precision": precision,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--only", choices=sorted(BENCHMARKS))
    parser.add_argument("--allow-modified", action="store_true", help="record a tree that no commit has; not for good")
    arguments = parser.parse_args()
    modified = modified_files()
    if modified and not arguments.allow_modified:
        shown = ", ".join(modified[:3]) + (", …" if len(modified) > 3 else "")
        sys.exit(f"bench: the tree differs from its commit ({shown}): commit first, or pass --allow-modified")
    RESULTS.mkdir(parents=True, exist_ok=True)
    for name, benchmark in BENCHMARKS.items():
        if arguments.only not in (None, name):
            continue
        begun, (busy, own) = time.monotonic(), busy_seconds()
        command, figures = benchmark(arguments.build.resolve())
        seconds, (busy_after, own_after) = time.monotonic() - begun, busy_seconds()
        others = ((busy_after - busy) - (own_after - own)) / seconds
        others = min(max(others, 0.0), os.cpu_count() or 1)  # the system counts in steps of 10 ms
        shown = [part.replace(str(ROOT) + "/", "") for part in command]
        shown[0] = "python" if shown[0].endswith("/python") else shown[0]
        load = {"seconds": round(seconds, 1), "cores_busy_with_others": round(others, 2)}
        record = {"benchmark": name, **environment(shown, bool(modified)), **load, "figures": figures}
        path = RESULTS / f"{record['date']}-cpu-{name}.json"
        path.write_text(json.dumps(record, indent=1) + "\n")
        print(path.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
