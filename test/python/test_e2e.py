"""The programs of test/e2e/programs.py in the clear, on the twin, and under encryption."""

from __future__ import annotations

import functools
import json

import numpy as np
import pytest

import programs
import sluice as sl

FEWEST_ENCRYPTIONS, WANTED_ERRORS = 16, 64
CASES = programs.PROGRAMS | programs.DEEP
NAMES = [*programs.PROGRAMS, *(pytest.param(name, marks=pytest.mark.slow) for name in programs.DEEP)]


@functools.cache
def compiled(name: str) -> sl.Program:
    return CASES[name].compile()


@functools.cache
def machines(name: str) -> tuple[sl.Client, sl.Server]:
    program = compiled(name)
    client = sl.Client(program.manifest)
    return client, sl.Server(program, client.evaluation_keys)


def as_list(values) -> list[np.ndarray]:
    return list(values) if isinstance(values, tuple) else [values]


@pytest.mark.parametrize("name", NAMES)
def test_twin_approximates_the_clear_function(name):
    """Exactly where nothing is approximated; else within the promised precision of each approximation."""
    case = CASES[name]
    inputs = case.inputs(seed=1)
    twin = as_list(compiled(name).simulate(*inputs))
    for got, wanted in zip(twin, case.clear(inputs), strict=True):
        assert got.shape == wanted.shape
        bound = 2.0**-case.precision * programs.APPROXIMATED.get(name, 0) + 1e-12
        np.testing.assert_allclose(got, wanted, rtol=0, atol=bound)


def least_precise(errors: list[list[np.ndarray]]) -> float:
    """-log2 of the largest standard deviation of an output's errors; `errors` has a list of outputs a run."""
    return min(-np.log2(np.sqrt(np.mean(np.concatenate(output) ** 2))) for output in zip(*errors))


@pytest.mark.parametrize("name", NAMES)
def test_encrypted_results_have_the_promised_and_the_predicted_precision(name, tmp_path):
    """Standard deviation of the error against the twin, over encryptions of different inputs under the public key.

    Of several outputs the least precise counts.

    Predicted is what the noise model makes of the same inputs, and the forecast of the manifest, whose inputs are
    uniform: not those of a case with a grid.
    """
    case, program = CASES[name], compiled(name)
    client, server = machines(name)
    client.save(tmp_path)
    sender = sl.Client.load(program.manifest, tmp_path / "public.key")
    measured: list[list[np.ndarray]] = []
    predicted: list[list[np.ndarray]] = []
    while len(measured) < FEWEST_ENCRYPTIONS or sum(errors[0].size for errors in measured) < WANTED_ERRORS:
        seed = len(measured)
        inputs = case.inputs(seed)
        twin = as_list(program.simulate(*inputs))
        results = as_list(client.decrypt(server(sender.encrypt(*inputs))))
        assert [r.shape for r in results] == [t.shape for t in twin]
        measured.append([np.ravel(r - t) for r, t in zip(results, twin)])
        noisy = as_list(program.simulate(*inputs, noise_seed=seed))
        predicted.append([np.ravel(n - t) for n, t in zip(noisy, twin)])
    found = least_precise(measured)
    assert found >= case.precision
    assert -1 <= found - least_precise(predicted) <= 2
    if case.grid is None:
        assert -1 <= found - json.loads(program.manifest)["forecast"]["precision_bits"] <= 2


def test_a_part_of_a_batch_may_be_given():
    """Items that are not there cost nothing and do not come back."""
    case = programs.PROGRAMS["dot_product"]
    client, server = machines("dot_product")
    inputs = [array[:3] for array in case.inputs(seed=5)]
    result = client.decrypt(server(client.encrypt(*inputs)))
    assert result.shape == (3,)
    np.testing.assert_allclose(result, [case.function(item) for item in inputs[0]], atol=2.0**-12)


def test_public_key_encrypts_for_the_secret_key(tmp_path):
    case = programs.PROGRAMS["affine"]
    program = compiled("affine")
    owner = sl.Client(program.manifest)
    owner.save(tmp_path)
    sender = sl.Client.load(program.manifest, tmp_path / "public.key")
    server = sl.Server(program, tmp_path / "eval.keys")
    inputs = case.inputs(seed=3)
    receiver = sl.Client.load(program.manifest, tmp_path / "secret.key")
    np.testing.assert_allclose(receiver.decrypt(server(sender.encrypt(*inputs))), case.clear(inputs)[0], atol=2.0**-12)


def test_secret_key_encryption_is_half_the_size(tmp_path):
    program = compiled("affine")
    client = sl.Client(program.manifest)
    client.save(tmp_path)
    inputs = programs.PROGRAMS["affine"].inputs(seed=3)
    seeded = client.encrypt(*inputs).to_bytes()
    public = sl.Client.load(program.manifest, tmp_path / "public.key").encrypt(*inputs).to_bytes()
    assert len(seeded) < 0.6 * len(public)


def test_objects_survive_bytes_and_files(tmp_path):
    """Program, keys and ciphertexts through bytes give the same result as the objects themselves."""
    program = compiled("matrix_vector")
    client, server = machines("matrix_vector")
    program.save(tmp_path / "program.sluice")
    loaded = sl.load(tmp_path / "program.sluice")
    assert loaded.to_bytes() == program.to_bytes() == sl.Program.from_bytes(program.to_bytes()).to_bytes()
    assert loaded.manifest == program.manifest
    inputs = programs.PROGRAMS["matrix_vector"].inputs(seed=4)
    ciphertext = client.encrypt(*inputs)
    ciphertext.save(tmp_path / "x.ct")
    again = sl.Server(loaded, client.evaluation_keys)(sl.Ciphertext.load(tmp_path / "x.ct"))
    assert again.to_bytes() == server(ciphertext).to_bytes()  # evaluation is deterministic
    np.testing.assert_array_equal(client.decrypt(sl.Ciphertext.from_bytes(again.to_bytes())), client.decrypt(again))
