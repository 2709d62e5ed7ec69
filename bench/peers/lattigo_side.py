"""The peer's side: Lattigo, by its own program in lattigo/, which is built here if there is a Go to build it with."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).resolve().parent / "lattigo"
GO_VERSION = (1, 24)


def go_command() -> tuple[str | None, str]:
    """The go command, or none and the reason."""
    path = shutil.which("go") or shutil.which("go", path="/usr/local/go/bin")
    if path is None:
        return None, "no Go: 'go' is neither in PATH nor in /usr/local/go/bin"
    printed = subprocess.run([path, "version"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"go(\d+)\.(\d+)", printed)
    if found is None or (int(found[1]), int(found[2])) < GO_VERSION:
        return None, f"{path} is '{printed.strip()}', and Lattigo needs Go {GO_VERSION[0]}.{GO_VERSION[1]}"
    return path, ""


def build_lattigo(folder: Path) -> tuple[Path | None, str]:
    """The program, or none and the reason."""
    go, reason = go_command()
    if go is None:
        return None, reason
    binary = folder / "bench-lattigo"
    command = [go, "build", "-o", str(binary), "."]
    done = subprocess.run(command, cwd=SOURCE, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or ["no message"]
        return None, f"go build failed: {lines[-1]}"
    return binary, ""


def measure_lattigo(binary: Path, long: bool, repetitions: int) -> list[dict[str, Any]]:
    command = [str(binary), f"-repetitions={repetitions}", *(["-long"] if long else [])]
    environment = dict(os.environ, GOMAXPROCS="1")
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=environment)
    return [json.loads(line) for line in done.stdout.splitlines()]
