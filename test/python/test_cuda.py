"""Programs for CUDA devices: the generated source, the sections of the artifact, and what is refused. No GPU needed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import sluice as sl
from container import sections
from sluice.errors import CompileError, InvalidArgumentError
from sluice.program import Options, Source

SOURCE = Path(__file__).resolve().parents[2]
NVCC = shutil.which("nvcc") or next(iter(SOURCE.glob(".venv/lib/python3*/site-packages/nvidia/cu13/bin/nvcc")), None)
HOST_COMPILER = shutil.which("g++") or shutil.which("clang++")


@sl.program(sl.Secret(8, range=(-1, 1)))
def score(x):
    s = x @ np.linspace(-1, 1, 8)
    return s * s


def test_the_source_compiles_for_the_host(tmp_path):
    """Under the shim each kernel is a function that a loop over threads calls; the names are those of the launches."""
    program = sl.compile(score, target="cpu")
    with pytest.raises(InvalidArgumentError, match="compile it with target='cuda'"):
        program.device_source()
    text = Source(program.stage("traced").text, "score", Options(target="cuda"))
    source = text.compile("llvm").device_source
    assert source == text.compile("llvm").device_source
    (tmp_path / "program.cpp").write_text(source)
    if HOST_COMPILER is None:
        pytest.skip("no C++ compiler")
    command = [HOST_COMPILER, "-shared", "-fPIC", "-std=c++20", "-DSLUICE_CUDA_HOST_SHIM", f"-I{SOURCE}"]
    subprocess.run([*command, "program.cpp", "-o", "program.so"], cwd=tmp_path, check=True)
    symbols = (tmp_path / "program.so").read_bytes()
    for number in range(source.count("SLUICE_LIMB_KERNEL(")):
        assert f"limb_kernel_{number}\0".encode() in symbols


def test_a_program_for_the_cpu_stays_as_it_was():
    parts = sections(sl.compile(score).to_bytes())
    assert list(parts) == ["manifest", "program", "constant", "code"]


@pytest.mark.skipif(NVCC is None, reason="no nvcc")
def test_the_artifact_has_launches_and_device_code():
    program = sl.compile(score, target="cuda")
    parts = sections(program.to_bytes())
    assert list(parts) == ["manifest", "program", "constant", "code", "launches", "device"]
    words = np.frombuffer(parts["launches"], np.uint64)
    assert words[0].tobytes() == b"slucelh1"
    assert int(words[1]) >> 32 == json.loads(program.manifest)["ring"]["log_n"]
    assert int(words[2]) == program.device_source().count("SLUICE_LIMB_KERNEL(")
    assert parts["device"][:4] == b"\x50\xed\x55\xba"  # of every fat binary
    assert b"limb_kernel_0" in parts["device"]


def test_a_compiler_without_nvcc_says_so(monkeypatch):
    monkeypatch.setenv("SLUICE_NVCC", os.devnull)
    with pytest.raises(CompileError, match=f"compiling device code with {os.devnull} failed"):
        sl.compile(score, target="cuda")


def test_other_targets_are_refused():
    with pytest.raises(InvalidArgumentError, match="target must be one of cpu, cuda, not 'opencl'"):
        sl.compile(score, target="opencl")
