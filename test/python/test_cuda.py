"""Programs for CUDA devices: source, sections of the artifact, the same bits as on the CPU. No GPU is needed."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import numpy as np
import pytest

import sluice as sl
from container import sections
from sluice import bootstrap
from sluice.errors import CompileError, InvalidArgumentError
from sluice.program import Options, Source

SOURCE = Path(__file__).resolve().parents[2]
NVCC = shutil.which("nvcc") or next(iter(SOURCE.glob(".venv/lib/python3*/site-packages/nvidia/cu13/bin/nvcc")), None)


@sl.program(sl.Secret(8, range=(-1, 1)))
def score(x):
    s = x @ np.linspace(-1, 1, 8)
    return s * s


@sl.program(sl.Secret(16, range=(-1, 1)))
def network(x):
    weights = np.random.default_rng(1).uniform(-0.3, 0.3, (16, 16))
    return sl.sigmoid(weights @ sl.sigmoid(weights @ x))


def expect_equal_bits(program: sl.Program, values: np.ndarray, folder: Path, insecure: bool = False) -> np.ndarray:
    """Runs the program on the CPU and on an emulated device, which runs the kernels as loops; gives the result."""
    library = folder / "device.so"
    library.write_bytes(sections(program.to_bytes())["device"])
    client = sl.Client(program.manifest, insecure=insecure)
    ciphertext, keys = client.encrypt(values), client.evaluation_keys
    results = [sl.Server(program, keys, device=device)(ciphertext) for device in ("cpu", f"emulated:{library}")]
    assert results[0].to_bytes() == results[1].to_bytes()
    return client.decrypt(results[1])


@pytest.mark.parametrize("function, size", [(score, 8), (network, 16)])
def test_kernels_compute_what_the_cpu_computes(host_nvcc, tmp_path, function, size):
    program = sl.compile(function, target="cuda")
    values = np.linspace(-1, 1, size)
    result = expect_equal_bits(program, values, tmp_path)
    np.testing.assert_allclose(result, program.simulate(values), atol=2**-14)


def test_a_bootstrap_on_an_emulated_device(host_nvcc, tmp_path):
    """All kinds of loops: rotations of sums, keys, weighted sums, halves of transforms; and stages."""
    program = bootstrap.program("insecure_tiny_encapsulated", insecure=True, target="cuda")
    values = np.random.default_rng(3).uniform(-1, 1, bootstrap.plan("insecure_tiny_encapsulated").slots)
    result = expect_equal_bits(program, values, tmp_path, insecure=True)
    np.testing.assert_allclose(result, values, atol=2**-12)


def test_the_source_is_deterministic_and_of_target_cuda():
    program = sl.compile(score)
    with pytest.raises(InvalidArgumentError, match="compile it with target='cuda'"):
        program.device_source()
    again = Source(program.stage("traced").text, "score", Options(target="cuda"))
    source = again.compile("llvm").device_source
    assert "SLUICE_LIMB_KERNEL(limb_kernel_0, " in source
    assert source == again.compile("llvm").device_source


def test_a_program_for_the_cpu_stays_as_it_was():
    parts = sections(sl.compile(score).to_bytes())
    assert list(parts) == ["manifest", "program", "constant", "code"]


@pytest.mark.skipif(NVCC is None, reason="no nvcc")
def test_the_artifact_has_launches_and_device_code(monkeypatch):
    monkeypatch.setenv("SLUICE_CUDA_ARCHITECTURES", "sm_90")
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


def test_an_architecture_that_is_none_is_refused(monkeypatch):
    monkeypatch.setenv("SLUICE_CUDA_ARCHITECTURES", "sm_90,hopper")
    with pytest.raises(CompileError, match="SLUICE_CUDA_ARCHITECTURES is 'sm_90,hopper', but must list architectures"):
        sl.compile(score, target="cuda")


def test_other_targets_are_refused():
    with pytest.raises(InvalidArgumentError, match="target must be one of cpu, cuda, not 'opencl'"):
        sl.compile(score, target="opencl")
