"""Polynomials given in MLIR, real and complex, on ciphertexts of a small insecure ring against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

import ckks
import sluice as sl
from sluice.manifest import Manifest
from sluice.program import Options, Program, Source
from sluice.simulation import simulate

LOG_N = 10
SLOTS = 2 ** (LOG_N - 1)
EVALUATE = {"chebyshev": np.polynomial.chebyshev.chebval, "monomial": np.polynomial.polynomial.polyval}
MAX_DEGREE = 255
# Each depth, some at its first and last degree, and degrees at which the plan has to split once more.
SAMPLE = [1, 2, 3, 5, 7, 8, 15, 16, 29, 63, 127, 255]
# A rescale leaves an error with a deviation of at most 2^-33 in a slot (32 = sqrt(N), about 7 = sqrt((1 + h) / 12),
# at scale 2^45), and every product with a power in [-1, 1] at most adds another.
BOUNDS = (1e-12, 1e-12, 2.0**-26)  # the twin in two phases, and the decrypted result


def module_text(polynomials: list[tuple[str, np.ndarray]], *, complex_slots: bool = False) -> str:
    """A program in phase planned of the polynomials (basis, coefficients) of one input in [-1, 1], an output each.

    With `complex_slots` two: a client decrypts real parts, and the second output is -i times the value.
    """
    depth = max((len(coefficients) - 1).bit_length() for _, coefficients in polynomials)
    limbs = [*ckks.ntt_primes(LOG_N, 50, 2), *ckks.ntt_primes(LOG_N, 45, depth)]
    levels = [list(range(1, level + 2)) for level in range(depth + 1)]
    body, outputs = [], []
    for k, (basis, coefficients) in enumerate(polynomials):
        attribute = f"basis = {basis}, coefficients = {dense(coefficients)}"
        if basis == "chebyshev":
            attribute += ", interval = [-1.0, 1.0]"
        body.append(f"  %y{k} = ckks.polynomial %x {{{attribute}}} : !ckks.ct")
        outputs.append(f"%y{k}")
        if complex_slots:
            body.append(f"  %i{k} = ckks.mul_by_i %y{k} : !ckks.ct\n  %n{k} = ckks.negate %i{k} : !ckks.ct")
            outputs.append(f"%n{k}")
    layout = f"ckks.layout = #ckks.layout<shape = [{SLOTS}], lanes = {SLOTS}, batch = 1, batched = false>"
    results = ", ".join(f'!ckks.ct {{ckks.name = "y{k}", {layout}}}' for k in range(len(outputs)))
    return f"""#params = #ckks.params<logN = {LOG_N}, limbs = {limbs}, special = [0], levels = {levels},
  digits = {[[limb] for limb in levels[-1]]}, slots = {SLOTS}, secret = "uniform-ternary", security = 0>
module attributes {{ckks.params = #params}} {{
func.func @f(%x: !ckks.ct {{ckks.name = "x", ckks.range = [-1.0, 1.0], {layout}}}) -> ({results}) {{
{chr(10).join(body)}
  return {", ".join(outputs)} : {", ".join(["!ckks.ct"] * len(outputs))}
}}
}}
"""


def dense(coefficients: np.ndarray) -> str:
    """MLIR's literal; complex elements where the array is complex."""
    if np.iscomplexobj(coefficients):
        numbers = ", ".join(f"({c.real:.17e}, {c.imag:.17e})" for c in coefficients)
        return f"dense<[{numbers}]> : tensor<{len(coefficients)}xcomplex<f64>>"
    numbers = ", ".join(f"{c:.17e}" for c in coefficients)
    return f"dense<[{numbers}]> : tensor<{len(coefficients)}xf64>"


def run(text: str, x: np.ndarray) -> tuple[list[np.ndarray], list[np.ndarray], list[np.ndarray]]:
    """The outputs of the twin before and after polynomials are expanded, and the decrypted ones."""
    source = Source(text, "polynomials.mlir", Options(insecure=True, from_phase="planned"))
    result = source.compile("artifact")
    manifest = Manifest(result.manifest)
    client = sl.Client(manifest.bytes, insecure=True)
    server = sl.Server(Program(result.artifact, manifest), client.evaluation_keys)
    twins = (simulate(source.stage_text(phase), phase, manifest, (x,), None) for phase in ("planned", "settled"))
    outputs = (*twins, client.decrypt(server(client.encrypt(x))))
    planned, settled, decrypted = (list(values) if isinstance(values, tuple) else [values] for values in outputs)
    return planned, settled, decrypted


def dense_coefficients(degree: int, rng: np.random.Generator) -> np.ndarray:
    """No zeros, and absolute values that add to 1, so that every block is at most 1."""
    coefficients = rng.uniform(0.25, 1, degree + 1) * rng.choice([-1, 1], degree + 1)
    return coefficients / np.abs(coefficients).sum()


def check_real(basis: str, degrees: list[int]) -> None:
    rng = np.random.default_rng(degrees[0])
    polynomials = [(basis, dense_coefficients(degree, rng)) for degree in degrees]
    x = rng.uniform(-1, 1, SLOTS)
    x[:3] = -1, 0, 1
    for outputs, bound in zip(run(module_text(polynomials), x), BOUNDS, strict=True):
        for degree, (_, coefficients), output in zip(degrees, polynomials, outputs, strict=True):
            wanted = EVALUATE[basis](x, coefficients)
            np.testing.assert_allclose(output, wanted, rtol=0, atol=bound, err_msg=f"degree {degree}")


@pytest.mark.parametrize("basis", EVALUATE)
def test_sampled_degrees(basis):
    check_real(basis, SAMPLE)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1, MAX_DEGREE + 1, 15))
@pytest.mark.parametrize("basis", EVALUATE)
def test_every_degree(basis, first):
    check_real(basis, list(range(first, first + 15)))


# --- Complex coefficients -----------------------------------------------------------------------


def check_complex(polynomials: list[tuple[str, np.ndarray]], wanted: list[np.ndarray], x: np.ndarray) -> None:
    for outputs, bound in zip(run(module_text(polynomials, complex_slots=True), x), BOUNDS, strict=True):
        for k, value in enumerate(wanted):
            np.testing.assert_allclose(outputs[2 * k], value.real, rtol=0, atol=bound, err_msg=str(k))
            np.testing.assert_allclose(outputs[2 * k + 1], value.imag, rtol=0, atol=bound, err_msg=str(k))


@pytest.mark.parametrize("basis", EVALUATE)
def test_complex_coefficients(basis):
    """Both parts in every coefficient, and coefficients of which one part is missing."""
    rng = np.random.default_rng(3)
    x = rng.uniform(-1, 1, SLOTS)
    polynomials = []
    for degree in (1, 2, 3, 6, 15, 23):
        real, imaginary = (dense_coefficients(degree, rng) for _ in range(2))
        full = real + 1j * imaginary
        mixed = np.where(np.arange(degree + 1) % 3 == 0, 1j * imaginary, real + 0j)
        polynomials += [(basis, full), (basis, mixed), (basis, 1j * imaginary)]
    polynomials.append((basis, np.array([0.25 - 0.5j])))  # a constant
    check_complex(polynomials, [EVALUATE[basis](x, c) + 0 * x for _, c in polynomials], x)


def test_the_complex_exponential():
    """exp(i pi x) for x in [-1, 1] by interpolation at Chebyshev points: even coefficients real, odd ones imaginary."""
    degree = 31
    cosine, sine = (
        np.polynomial.chebyshev.chebinterpolate(lambda t, f=f: f(np.pi * t), degree) for f in (np.cos, np.sin)
    )
    x = np.random.default_rng(4).uniform(-1, 1, SLOTS)
    check_complex([("chebyshev", cosine + 1j * sine)], [np.exp(1j * np.pi * x)], x)
