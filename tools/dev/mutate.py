"""Flip one constant in each pass and check that the suite fails.

Usage: python tools/dev/mutate.py [FILE ...]   (files of test/mutations.toml; all of them without)

Works on a copy of the tree under build/mutation, which keeps its build folder: the first run builds all. The .mlir
tests are tried first, then all of them. Ends with 'N caught, N survived'; exits 1 when a mutation survived.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COPY = ROOT / "build" / "mutation"
SOURCE, BUILD = COPY / "source", COPY / "build"
LIT = "/usr/lib/llvm-22/bin/lit"
MLIR_TOOLS = ["sluice-opt", "sluice-compile"]
MLIR_TESTS = ["dialects", "passes", "pipeline"]


@dataclass(frozen=True)
class Mutation:
    """`before` stands once in `file`, and is replaced by `after`."""

    file: str
    before: str
    after: str

    def apply(self) -> None:
        path = SOURCE / self.file
        text = path.read_text()
        if text.count(self.before) != 1:
            sys.exit(f"test/mutations.toml: {self.file} holds {text.count(self.before)} times: {self.before}")
        path.write_text(text.replace(self.before, self.after))

    def undo(self) -> None:
        shutil.copyfile(ROOT / self.file, SOURCE / self.file)


def load() -> list[Mutation]:
    table = tomllib.loads((ROOT / "test" / "mutations.toml").read_text())
    return [Mutation(entry["file"], entry["from"], entry["to"]) for entry in table["mutation"]]


def copy_tree() -> None:
    """The files that git knows or could know, with their times, so that only changes are built again."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    for name in names:
        source, target = ROOT / name, SOURCE / name
        if not source.is_file() or (target.is_file() and target.read_bytes() == source.read_bytes()):
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)


def build(*targets: str) -> bool:
    """Build targets of the copy; output goes to a log."""
    command = ["cmake", "--build", str(BUILD), "-j", str(os.cpu_count()), "--target", *targets]
    with open(COPY / "build.log", "w") as log:
        return subprocess.run(command, stdout=log, stderr=log, check=False).returncode == 0


def passes_mlir_tests() -> bool:
    """The .mlir tests, which need two tools only."""
    folders = [str(BUILD / "test" / folder) for folder in MLIR_TESTS]
    command = [LIT, "-q", f"-j{os.cpu_count()}", "--max-failures=1", *folders]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def passes_everything() -> bool:
    command = [sys.executable, "tools/dev/run_tests.py", "--build", str(BUILD)]
    environment = dict(os.environ, PYTHONPATH=str(BUILD / "python"))
    return subprocess.run(command, cwd=SOURCE, env=environment, capture_output=True, check=False).returncode == 0


def is_caught(mutation: Mutation) -> bool:
    """True when a build succeeds and a test fails; a mutation that does not build is refused."""
    mutation.apply()
    try:
        if not build(*MLIR_TOOLS):
            sys.exit(f"test/mutations.toml: the mutation of {mutation.file} does not build; see {COPY}/build.log")
        if not passes_mlir_tests():
            return True
        return not build("all", "sluice-unit-tests") or not passes_everything()
    finally:
        mutation.undo()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*")
    wanted = parser.parse_args().files
    mutations = [mutation for mutation in load() if not wanted or mutation.file in wanted]
    copy_tree()
    configure = ["cmake", "--preset", "dev", "-B", str(BUILD), f"-DPython_EXECUTABLE={sys.executable}"]
    subprocess.run(configure, cwd=SOURCE, check=True, stdout=subprocess.DEVNULL)
    if not build(*MLIR_TOOLS) or not passes_mlir_tests():
        sys.exit(f"the tests do not pass without a mutation; see {COPY}/build.log")
    survived = 0
    for mutation in mutations:
        caught = is_caught(mutation)
        survived += not caught
        print(f"{'caught' if caught else 'SURVIVED':<9} {mutation.file}: {mutation.after}", flush=True)
    print(f"{len(mutations) - survived} caught, {survived} survived")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
