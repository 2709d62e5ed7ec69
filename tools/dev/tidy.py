"""Run clang-tidy on the C++ files of the compiler, the runtime and the tools; print what it finds; exit 1 if anything.

Usage: python tools/dev/tidy.py BUILD [FILE ...]   (no FILE: all that BUILD compiles)

clang-tidy visits every declaration of MLIR's headers, some ten seconds for one file. So BUILD/tidy.json keeps for each
file that passed a digest of all that was read: its command, the .clang-tidy files, and the sources and headers that
ninja noted in the last build. A file is looked at again when its digest is another.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CLANG_TIDY = "clang-tidy-22"
FOLDERS = ("dialects", "passes", "runtime", "tools")


def output_of(*command: str) -> str:
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def commands_of(build: Path) -> dict[Path, list[str]]:
    """Source file -> its compile command."""
    entries = json.loads((build / "compile_commands.json").read_text())
    return {Path(entry["file"]): shlex.split(entry["command"]) for entry in entries}


def dependencies_of(build: Path) -> dict[str, list[Path]]:
    """Object file, relative to `build` -> what its last compilation read."""
    dependencies: dict[str, list[Path]] = {}
    files: list[Path] = []
    for line in output_of("ninja", "-C", str(build), "-t", "deps").splitlines():
        if line.startswith("    "):
            files.append(build / line.strip())
        elif ": #deps" in line:
            files = dependencies.setdefault(line.partition(": #deps")[0], [])
    return dependencies


@cache
def content_digest(file: Path) -> bytes:
    return hashlib.sha256(file.read_bytes()).digest() if file.exists() else b""


def digests_of(build: Path, sources: list[Path]) -> dict[Path, str]:
    """Source file -> digest of all that its findings depend on. Without the files that `build` does not compile."""
    commands, dependencies = commands_of(build), dependencies_of(build)
    settings = [ROOT / ".clang-tidy", *(file for folder in FOLDERS for file in (ROOT / folder).rglob(".clang-tidy"))]
    version = output_of(CLANG_TIDY, "--version")
    digests = {}
    for source in sources:
        if source not in commands:
            continue
        command = commands[source]
        total = hashlib.sha256("\0".join([version, *command]).encode())
        read = dependencies.get(command[command.index("-o") + 1], [])
        for file in sorted({source, *settings, *read}):
            total.update(str(file).encode() + b"\0" + content_digest(file))
        digests[source] = total.hexdigest()
    return digests


def findings(build: Path, source: Path) -> str:
    """What clang-tidy prints where the file does not pass, or where it crashes; "" for a file that passes."""
    command = [CLANG_TIDY, "--quiet", "-p", str(build), "--warnings-as-errors=*", str(source)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode == 0:
        return ""
    return f"{done.stdout}{done.stderr}clang-tidy gives {done.returncode} for {source}\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path, metavar="BUILD")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="files at once (default: one a core)")
    arguments = parser.parse_intermixed_args()
    build = arguments.build.resolve()
    tracked = output_of("git", "ls-files", *(f"{folder}/*.cpp" for folder in FOLDERS)).splitlines()
    sources = [file.resolve() for file in arguments.files] or [ROOT / name for name in tracked]
    digests = digests_of(build, sources)
    if unbuilt := [str(source) for source in sources if source not in digests]:
        print(f"{build.name} does not compile, so nothing looks at: {', '.join(unbuilt)}")

    record = build / "tidy.json"
    passed: dict[str, str] = json.loads(record.read_text()) if record.exists() else {}
    todo = [source for source, digest in digests.items() if passed.get(str(source)) != digest]
    failed = 0
    try:
        with ThreadPoolExecutor(arguments.jobs) as pool:
            for source, text in zip(todo, pool.map(lambda source: findings(build, source), todo)):
                print(text, end="", flush=True)
                if text:
                    failed += 1
                else:
                    passed[str(source)] = digests[source]
    finally:
        record.write_text(json.dumps(passed, indent=1, sort_keys=True))
    print(f"clang-tidy: {len(digests)} files, {len(todo)} looked at, {failed} with findings")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
