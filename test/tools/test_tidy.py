"""tools/dev/tidy.py: findings are printed and fail, and so does a crash; only what changed is looked at again."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "runtime/base/wipe.cpp"


@pytest.fixture
def tidy(tmp_path):
    """Runs the script on one file, with a clang-tidy and a ninja that do as they are told: (exit code, output)."""
    build, tools, header = tmp_path / "build", tmp_path / "bin", tmp_path / "header.h"
    build.mkdir()
    tools.mkdir()
    header.write_text("int a;\n")
    command = {"directory": str(build), "file": str(SOURCE), "command": "clang++-22 -c wipe.cpp -o wipe.o"}
    (build / "compile_commands.json").write_text(json.dumps([command]))

    def program(name, script):
        (tools / name).write_text(f"#!/bin/sh\n{script}\n")
        (tools / name).chmod(0o755)

    program("ninja", f"echo 'wipe.o: #deps 1, deps mtime 1 (VALID)'; echo '    {header}'")

    def run(script, text="int a;\n"):
        header.write_text(text)
        program("clang-tidy-22", f'[ "$1" = --version ] && exit 0\n{script}')
        done = subprocess.run(
            [sys.executable, str(ROOT / "tools/dev/tidy.py"), str(build), str(SOURCE)],
            env={"PATH": f"{tools}:/usr/bin:/bin"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        return done.returncode, done.stdout

    return run


def test_findings_fail_until_mended(tidy):
    for _ in range(2):
        code, output = tidy("echo 'wipe.cpp:1:1: error: a finding'; exit 1")
        assert code == 1
        assert "error: a finding" in output
        assert "1 files, 1 looked at, 1 with findings" in output
    assert tidy("exit 0") == (0, "clang-tidy: 1 files, 1 looked at, 0 with findings\n")


def test_a_crash_fails(tidy):
    code, output = tidy("echo 'stack dump' >&2; kill -SEGV $$")
    assert code == 1
    assert "stack dump" in output
    assert f"clang-tidy gives -11 for {SOURCE}" in output


def test_only_changed_files_are_looked_at(tidy):
    assert "1 looked at" in tidy("exit 0")[1]
    assert "0 looked at" in tidy("exit 1")[1]
    code, output = tidy("exit 1", text="int b;\n")
    assert code == 1
    assert "1 looked at, 1 with findings" in output
