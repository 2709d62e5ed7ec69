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
LOG_SCALE = 45
ROUNDING = 1e-12  # of doubles, in the twin and in NumPy
CHANCE = 1e-6  # that a right result of one run is refused


def module_text(polynomials: list[tuple[str, np.ndarray]], *, complex_slots: bool = False) -> str:
    """A program in phase planned of the polynomials (basis, coefficients) of one input in [-1, 1], an output each.

    With `complex_slots` two: a client decrypts real parts, and the second output is -i times the value.
    """
    depth = max((len(coefficients) - 1).bit_length() for _, coefficients in polynomials)
    limbs = [*ckks.ntt_primes(LOG_N, 50, 2), *ckks.ntt_primes(LOG_N, LOG_SCALE, depth)]
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


def sensitivities(basis: str, coefficients: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Row k: the derivative of p(x) by T_k where T_k is made from lower powers as docs/mathematics.md, section 6, says.

    Backwards, from the highest power to T_1 = x: row 1 is p'(x). Splitting p into blocks q T_(2^k) + r changes none.
    """
    degree, chebyshev = len(coefficients) - 1, basis == "chebyshev"
    powers = [EVALUATE[basis](x, unit) + 0 * x for unit in np.eye(degree + 1)]
    rows = coefficients[:, None] + np.zeros((1, len(x)))
    for k in range(degree, 1, -1):  # T_k = 2 T_high T_low - T_(high - low), or T_high T_low
        high = 1 << ((k - 1).bit_length() - 1)
        low, factor = k - high, 2 if chebyshev else 1
        rows[high] += factor * powers[low] * rows[k]
        rows[low] += factor * powers[high] * rows[k]
        if chebyshev:
            rows[high - low] -= rows[k]
    return rows


def error_bounds(basis: str, coefficients: np.ndarray, x: np.ndarray, samples: int) -> np.ndarray:
    """Of a decrypted p(x), to first order: one of `samples` slots exceeds its bound with probability CHANCE at most.

    Encryption under the secret key leaves a Gaussian error in x, which p'(x) multiplies. A rescale rounds both
    components: variance (1 + h) / 12 a coefficient, most of it multiplied by the secret, and the real part of a product
    of two complex Gaussians has the Laplace distribution. One rescale follows each power, and its sensitivity
    multiplies the error; one follows each block, and the powers of two that multiply the block multiply the error: a
    subset of them for each block, no two the same. Key switching precedes a rescale, so that its error is small beside
    this. Constants are rounded to multiples of 2^-LOG_SCALE.
    """
    slot = np.sqrt(SLOTS) / 2.0**LOG_SCALE  # deviation of the real part of a slot, of 1 a coefficient
    rows = np.abs(sensitivities(basis, coefficients, x))
    fresh = slot * np.sqrt(3.2**2 + 1 / 12) * (rows[1] if len(rows) > 1 else 0)
    doublings = (EVALUATE[basis](x, np.eye(2**k + 1)[-1]) for k in range((len(rows) - 1).bit_length()))
    blocks = np.prod([1 + 0 * x, *(1 + power**2 for power in doublings)], axis=0)
    hamming_weight = 2 * 2**LOG_N / 3
    rescales = slot * np.sqrt((1 + hamming_weight) / 12) * np.sqrt((rows[2:] ** 2).sum(axis=0) + blocks)
    gaussian, laplace = np.sqrt(2 * np.log(2 * samples / CHANCE)), np.log(samples / CHANCE) / np.sqrt(2)
    return gaussian * fresh + laplace * rescales + len(coefficients) / 2.0**LOG_SCALE + ROUNDING


def check(polynomials: list[tuple[str, np.ndarray]], x: np.ndarray, *, complex_slots: bool = False) -> None:
    """Compiles, encrypts, runs and decrypts; with `complex_slots` real and imaginary parts are outputs of their own."""
    parts = [np.real, np.imag] if complex_slots else [np.real]
    *twins, decrypted = run(module_text(polynomials, complex_slots=complex_slots), x)
    for k, (basis, coefficients) in enumerate(polynomials):
        value = EVALUATE[basis](x, coefficients) + 0 * x
        bounds = error_bounds(basis, coefficients, x, SLOTS * len(decrypted))
        for part, output in enumerate(range(len(parts) * k, len(parts) * (k + 1))):
            wanted, name = parts[part](value), f"{basis}, degree {len(coefficients) - 1}, output {output}"
            for twin in twins:
                np.testing.assert_allclose(twin[output], wanted, rtol=0, atol=ROUNDING, err_msg=name)
            worst = np.max(np.abs(decrypted[output] - wanted) / bounds)
            assert worst <= 1, f"{name}: {worst:.2f} times the bound"


def check_real(basis: str, degrees: list[int]) -> None:
    rng = np.random.default_rng(degrees[0])
    polynomials = [(basis, dense_coefficients(degree, rng)) for degree in degrees]
    x = rng.uniform(-1, 1, SLOTS)
    x[:3] = -1, 0, 1
    check(polynomials, x)


@pytest.mark.parametrize("basis", EVALUATE)
def test_sampled_degrees(basis):
    check_real(basis, SAMPLE)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1, MAX_DEGREE + 1, 15))
@pytest.mark.parametrize("basis", EVALUATE)
def test_every_degree(basis, first):
    check_real(basis, list(range(first, first + 15)))


@pytest.mark.parametrize("basis", EVALUATE)
@pytest.mark.parametrize("degree", [1, 2, 29, 255])
def test_the_bounds_refuse_small_mistakes(basis, degree):
    """In any coefficient, and in the scale: whatever the noise, some slot is beyond its bound."""
    rng = np.random.default_rng(degree)
    x = rng.uniform(-1, 1, SLOTS)
    coefficients = dense_coefficients(degree, rng)
    bounds = error_bounds(basis, coefficients, x, SLOTS * 15)
    for mistake in (*(2.0**-27 * np.eye(degree + 1)), 2.0**-24 * coefficients):
        assert np.max(np.abs(EVALUATE[basis](x, mistake)) / bounds) > 2


# --- Complex coefficients -----------------------------------------------------------------------


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
    check(polynomials, x, complex_slots=True)


def test_the_complex_exponential():
    """exp(i pi x) for x in [-1, 1] by interpolation at Chebyshev points: even coefficients real, odd ones imaginary."""
    degree = 31
    cosine, sine = (
        np.polynomial.chebyshev.chebinterpolate(lambda t, f=f: f(np.pi * t), degree) for f in (np.cos, np.sin)
    )
    x = np.random.default_rng(4).uniform(-1, 1, SLOTS)
    exponential = cosine + 1j * sine
    np.testing.assert_allclose(EVALUATE["chebyshev"](x, exponential), np.exp(1j * np.pi * x), rtol=0, atol=ROUNDING)
    check([("chebyshev", exponential)], x, complex_slots=True)
