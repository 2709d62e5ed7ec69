"""The multiples of Q that ModRaise adds, against the sum of uniform variables that theory says they are."""

from __future__ import annotations

from math import erfc, exp, expm1, log1p, sqrt

import numpy as np
import pytest

import ckks
from residues import run_encrypted

WEIGHT = 32  # of the ephemeral secret


def module(log_n: int, inputs: int) -> str:
    """For each input the raised ciphertext and the same times -i, whose real parts are all of its slots.

    Limb 0 is P, limb 1 the ephemeral secret's, limb 2 the bottom level.
    """
    limbs = ckks.ntt_primes(log_n, 50, 4)
    bottom = "!ckks.ct<level = 0, scale = 2^40>"
    inside = "!ckks.ct<level = 0, scale = 2^40, secret = ephemeral>"
    raised = "!ckks.ct<level = 1, scale = q2, secret = ephemeral>"
    top = "!ckks.ct<level = 1, scale = q2>"
    arguments = ", ".join(f'%x{k}: {bottom} {{ckks.name = "x{k}", ckks.range = [-1.0, 1.0]}}' for k in range(inputs))
    names = [f"{part}{k}" for k in range(inputs) for part in ("re", "im")]
    results = ", ".join(f'{top} {{ckks.name = "{name}"}}' for name in names)
    body = "\n  ".join(
        f"%a{k} = ckks.switch_key %x{k} : {bottom} -> {inside}\n"
        f"  %b{k} = ckks.mod_raise %a{k} : {inside} -> {raised}\n"
        f"  %re{k} = ckks.switch_key %b{k} : {raised} -> {top}\n"
        f"  %i{k} = ckks.mul_by_i %re{k} : {top}\n"
        f"  %im{k} = ckks.negate %i{k} : {top}"
        for k in range(inputs)
    )
    returned = ", ".join(f"%{name}" for name in names)
    # The limbs of the ephemeral key's modulus and of P are above those of level 0.
    return f"""#params = #ckks.params<logN = {log_n}, limbs = {limbs}, special = [0], levels = [[2], [2, 3]],
  digits = [[2], [3]], slots = {2 ** (log_n - 1)}, security = 0, ephemeral = "ephemeral-32", ephemeral_special = [1]>
module attributes {{ckks.params = #params}} {{
func.func @f({arguments}) -> ({results}) {{
  {body}
  return {returned} : {", ".join([top] * len(names))}
}}
}}
"""


def coefficients(log_n: int, slots: np.ndarray) -> np.ndarray:
    """Of the real polynomial with these N/2 complex slots: slot j is its value at power 5^j of the root of unity."""
    n = 2**log_n
    exponents = np.ones(n // 2, dtype=np.int64)
    for j in range(1, n // 2):
        exponents[j] = exponents[j - 1] * 5 % (2 * n)
    values = np.zeros(2 * n, dtype=complex)
    values[exponents] = slots
    values[2 * n - exponents] = slots.conj()
    # p(zeta^e) at the odd e: the transform of length 2N of p, whose coefficients from N on are 0.
    return np.fft.fft(values).real[:n] / n


def log_tail(terms: int, bound: float) -> float:
    """log P(|S| > bound), S a sum of uniform variables of (-1/2, 1/2): Lugannani and Rice's saddle point."""
    c, low, high = bound / terms, 1e-9, 1e4
    for _ in range(200):
        z = (low + high) / 2
        low, high = (z, high) if 0.5 / np.tanh(z / 2) - 1 / z < c else (low, z)
    k2 = 1 / z**2 - 1 / (4 * np.sinh(z / 2) ** 2)
    w = sqrt(2 * terms * (z * c - np.log(2 * np.sinh(z / 2) / z)))
    u = z * sqrt(terms * k2)
    return float(np.log(2 * (erfc(w / sqrt(2)) / 2 + exp(-w * w / 2) / sqrt(2 * np.pi) * (1 / u - 1 / w))))


@pytest.mark.parametrize(
    ("log_n", "inputs"),
    [pytest.param(9, 8, id="quick"), pytest.param(16, 16, id="a million coefficients", marks=pytest.mark.slow)],
)
def test_integers_are_distributed_as_theory_says(tmp_path, log_n, inputs):
    source = tmp_path / "source.mlir"
    source.write_text(module(log_n, inputs))
    random = np.random.default_rng(5)
    x = {f"x{k}": random.uniform(-1, 1, 2 ** (log_n - 1)) for k in range(inputs)}
    names = [f"{part}{k}" for k in range(inputs) for part in ("re", "im")]
    run_encrypted(source, tmp_path, x, names)
    parts = []
    for k in range(inputs):
        re, im = (np.load(tmp_path / f"{part}{k}.npy").ravel() for part in ("re", "im"))
        parts.append(coefficients(log_n, re + 1j * im))
    values = np.concatenate(parts)
    count = inputs * 2**log_n
    assert len(values) == count
    integers = np.round(values)
    # What is left is the message's part scale / q0 and noise, far from a half.
    assert np.abs(values - integers).max() < 2**-6

    # c0 + c1 s is small modulo q0, so c0 is the rounding error of c1 s, a sum of h uniform variables, and I its
    # integer: together h + 1 of them.
    variance = (WEIGHT + 1) / 12
    assert abs(np.var(values) / variance - 1) < 6 * sqrt(2 / count)
    # Beyond a bound stand as many as the sum's tail says; the largest is where one in all is expected. The failure
    # probability that plans state is the tail of all h + 1 beyond an integer, which is a little larger.
    for bound in (2.5, 4.5, 5.5):
        expected = count * exp(log_tail(WEIGHT, bound))
        found = int((np.abs(integers) > bound).sum())
        assert abs(found - expected) < 6 * sqrt(expected) + 3, bound
        assert expected < count * exp(log_tail(WEIGHT + 1, bound - 0.5))
    largest = np.abs(integers).max()
    unlikely = 1e-6
    assert -expm1(count * log1p(-exp(log_tail(WEIGHT, largest - 0.5)))) > unlikely
    assert exp(count * log1p(-exp(log_tail(WEIGHT, largest + 0.5)))) > unlikely
