"""bench/run.py records what was committed, and says on what it ran."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# Stands in for build/bin/bench-operations: one figure as Google Benchmark prints it.
BENCHMARK = """#!/bin/sh
echo '{"benchmarks": [{"name": "rotate/14", "real_time": 1.5, "time_unit": "ms", "label": "cpu, scalar, 2 threads"}]}'
"""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with run.py and a build folder, all committed but the build."""
    for name in ("bench/run.py", "README.md", "source.cpp", ".gitignore", "build/bin/bench-operations"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    shutil.copy(ROOT / "bench/run.py", tmp_path / "bench/run.py")
    (tmp_path / ".gitignore").write_text("/build/\n")
    (tmp_path / "build/bin/bench-operations").write_text(BENCHMARK)
    (tmp_path / "build/bin/bench-operations").chmod(0o755)
    identity = ["-c", "user.name=t", "-c", "user.email=t@t"]
    for words in (["init", "-q"], ["add", "."], [*identity, "commit", "-q", "-m", "x"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    return tmp_path


def record(repository: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "bench/run.py", "--build", "build", "--only", "operations", *options]
    return subprocess.run(command, cwd=repository, capture_output=True, text=True, check=False)


def only_record(repository: Path) -> dict:
    (path,) = (repository / "bench/results").glob("*-cpu-operations.json")
    return json.loads(path.read_text())


def test_a_clean_commit_is_recorded_with_its_backend(repository: Path):
    assert record(repository).returncode == 0
    assert only_record(repository)["modified"] is False
    assert 0 <= only_record(repository)["cores_busy_with_others"] <= only_record(repository)["cores"]
    (figure,) = only_record(repository)["figures"]
    assert figure == {"name": "rotate/14", "real_time": 1.5, "unit": "ms", "backend": "cpu, scalar, 2 threads"}
    assert "avx" not in only_record(repository)["cpu"]


def test_records_and_readme_may_differ(repository: Path):
    (repository / "README.md").write_text("a new table")
    assert record(repository).returncode == 0
    assert record(repository).returncode == 0


@pytest.mark.parametrize("name", ["source.cpp", "new.cpp"])
def test_a_modified_tree_is_refused(repository: Path, name: str):
    (repository / name).write_text("// not committed\n")
    done = record(repository)
    assert done.returncode == 1
    assert done.stderr == (
        f"bench: the tree differs from its commit ({name}): commit first, or pass --allow-modified\n"
    )
    assert not list((repository / "bench/results").glob("*"))
    assert record(repository, "--allow-modified").returncode == 0
    assert only_record(repository)["modified"] is True
