"""The rules of docs/rationale/rns.md that change roundings (`~`), on ciphertexts.

Each test compiles a program in which `sink-divisions` applies a rule, runs it, and finds the residues of the form after
the rule. The form before it is the textbook's, computed by the reference from the same ciphertexts and keys. Both are
decrypted and compared with the value that no division has rounded, multiplied by P and the dropped limbs: the errors
have the deviations that theory gives (docs/mathematics.md 2.2), the smaller one after the rule.
"""

from dataclasses import dataclass
from math import prod

import numpy as np
import pytest

import ckks
from residues import compile_settled, read_ciphertext, read_keys, read_params, read_secret, run_encrypted

LOG_N = 8
N, SLOTS = 2**LOG_N, 2 ** (LOG_N - 1)
LIMBS = [*ckks.ntt_primes(LOG_N, 50, 2), *ckks.ntt_primes(LOG_N, 40, 1)]  # P, and two limbs of ciphertexts
RNG = np.random.default_rng(7)
VALUES = {"x": RNG.uniform(-1, 1, SLOTS), "y": RNG.uniform(-1, 1, SLOTS)}
WEIGHTS = [RNG.uniform(-1, 1, SLOTS) for _ in range(2)]
# 256 coefficients give a deviation up to 1 / sqrt(2 * 256) = 4.4 % of itself, so five times that.
TOLERANCE = 0.22
WORST = 7  # times the deviation: of Gaussians, one of 4e11 lies farther out


def module_text(levels, body, result):
    """A settled program of x and y at the top level, scale 2^40."""
    given = f"!ckks.ct<level = {len(levels) - 1}, scale = 2^40>"
    return f"""#params = #ckks.params<logN = {LOG_N}, limbs = {LIMBS}, special = [0], levels = {levels},
  digits = [[1], [2]], slots = {SLOTS}, secret = "uniform-ternary", security = 0>
module attributes {{ckks.params = #params}} {{
func.func @f(%x: {given} {{ckks.name = "x", ckks.range = [-1.0, 1.0]}},
             %y: {given} {{ckks.name = "y", ckks.range = [-1.0, 1.0]}}) -> ({result} {{ckks.name = "z"}}) {{
{body}
  return %z : {result}
}}
}}
"""


def dense(values):
    return f"dense<[{', '.join(f'{v:.17e}' for v in values)}]> : tensor<{len(values)}xf64>"


@dataclass
class Run:
    """A program that was run: its operations after the rules, and what went in and out."""

    text: str
    params: ckks.Params
    secret: list[int]
    keys: list
    x: ckks.Ciphertext
    y: ckks.Ciphertext
    z: ckks.Ciphertext

    @property
    def p(self):
        return prod(self.params.primes(self.params.special))

    @property
    def lifted_modulus(self):
        return self.p * ckks.modulus(self.params, self.x.level)

    @property
    def rounding(self):
        """Variance of a coefficient after both halves were rounded: (1 + h) / 12."""
        return (1 + sum(abs(c) for c in self.secret)) / 12

    def lifted_rotation(self, k):
        """The rotated x before its division by P, and the textbook's rotation of x."""
        g = ckks.rotation_element(k, N)
        served, key = next((served, key) for element, served, key in self.keys if element == g)
        c0, c1 = (ckks.automorphism(part, g, ckks.modulus(self.params, self.x.level)) for part in self.x.parts)
        u, v = ckks.inner_product(served, c1, self.x.level, key)
        lifted = ckks.add(ckks.scale_by(c0, self.p, self.lifted_modulus), u, self.lifted_modulus), v
        return lifted, ckks.rotate(served, self.x, k, key).parts

    def errors(self, parts, lifted, divisor):
        """Of the decryption of `parts` at z's level, against that of `lifted` divided without rounding."""
        exact = decrypt(lifted, self.secret, self.lifted_modulus)
        found = decrypt(parts, self.secret, ckks.modulus(self.params, self.z.level))
        return np.array([(divisor * a - b) / divisor for a, b in zip(found, exact, strict=True)])

    def check(self, before, lifted, divisor, variance_before):
        """The residues of z are those of one division of `lifted`, and both errors are those of theory."""
        source = self.params.primes((*self.params.levels[self.x.level], *self.params.special))
        target = self.params.primes(self.params.levels[self.z.level])
        after = tuple(ckks.rescale(half, source, target) for half in lifted)
        assert self.z.parts == after
        found = [self.errors(parts, lifted, divisor) for parts in (before, after)]
        variances = variance_before, self.rounding
        assert variances[1] <= variances[0]
        for error, variance in zip(found, variances, strict=True):
            assert np.std(error) == pytest.approx(np.sqrt(variance), rel=TOLERANCE)
        assert np.abs(found[0] - found[1]).max() < WORST * np.sqrt(sum(variances))


def decrypt(parts, secret, q):
    return [ckks.centred(c, q) for c in ckks.add(parts[0], ckks.mul(parts[1], secret, q), q)]


def run(text, folder):
    source = folder / "f.mlir"
    source.write_text(text)
    manifest = run_encrypted(source, folder, VALUES, ["z"])
    params = read_params(manifest, ((1,), (2,)))
    x, y, z = (read_ciphertext(params, folder / f"{name}.ct") for name in "xyz")
    keys = folder / "keys"
    rns = compile_settled(source, "--to=rns").stdout
    return Run(rns, params, read_secret(keys / "secret.key"), read_keys(params, keys / "eval.keys"), x, y, z)


def combined(run, halves, factors, q):
    """The sum of the ciphertexts `halves`, each times a polynomial or an integer."""
    times = lambda a, f: ckks.mul(a, f, q) if isinstance(f, list) else ckks.scale_by(a, f, q)  # noqa: E731
    pairs = [[times(half, factor) for half in pair] for pair, factor in zip(halves, factors, strict=True)]
    return tuple(ckks.add(a, b, q) for a, b in zip(*pairs, strict=True))


def test_a_sum_of_multiples_of_rotations_is_divided_once(tmp_path):
    """f an automorphism, a product with an integer, a sum: 3 rotate(x, 1) - rotate(x, 2)."""
    ct = "!ckks.ct<level = 0, scale = 2^40>"
    body = f"""  %a = ckks.rotate %x {{by = 1}} : {ct}
  %b = ckks.rotate %x {{by = 2}} : {ct}
  %c = ckks.mul_scalar %a {{value = 3.0, scale = #ckks.scale<2^0>}} : {ct}
  %z = ckks.sub %c, %b : {ct}"""
    done = run(module_text([[1, 2]], body, ct), tmp_path)
    assert done.text.count("rns.mod_down") == 2  # one for each half
    (lifted_a, a), (lifted_b, b) = (done.lifted_rotation(k) for k in (1, 2))
    before = combined(done, (a, b), (3, -1), ckks.modulus(done.params, 0))
    lifted = combined(done, (lifted_a, lifted_b), (3, -1), done.lifted_modulus)
    done.check(before, lifted, done.p, (9 + 1) * done.rounding)
    assert done.z.parts != before


def test_a_sum_of_products_with_clear_vectors_is_divided_once(tmp_path):
    """f a product with a clear vector: what it made of a rounding error is no longer there."""
    ct, product = "!ckks.ct<level = 0, scale = 2^40>", "!ckks.ct<level = 0, scale = 2^60>"
    body = "\n".join(
        f"""  %r{k} = ckks.rotate %x {{by = {k + 1}}} : {ct}
  %p{k} = ckks.mul_plain %r{k} {{value = {dense(WEIGHTS[k])}, scale = #ckks.scale<2^20>}} : {ct} -> {product}"""
        for k in range(2)
    )
    done = run(module_text([[1, 2]], f"{body}\n  %z = ckks.add %p0, %p1 : {product}", product), tmp_path)
    assert done.text.count("rns.mod_down") == 2
    factors = [ckks.encode(weights, 2**20, N) for weights in WEIGHTS]
    (lifted_a, a), (lifted_b, b) = (done.lifted_rotation(k) for k in (1, 2))
    before = combined(done, (a, b), factors, ckks.modulus(done.params, 0))
    lifted = combined(done, (lifted_a, lifted_b), factors, done.lifted_modulus)
    done.check(before, lifted, done.p, sum(c * c for factor in factors for c in factor) * done.rounding)
    assert done.z.parts != before


def test_a_rescale_divides_by_p_at_once(tmp_path):
    """Relinearisation and rescale of a product, rounded once instead of twice.

    The first rounding counts for 1/q of the second: residues differ too rarely to be seen.
    """
    product, result = "!ckks.ct<level = 1, scale = 2^80, size = 3>", "!ckks.ct<level = 0, scale = 2^80 * q2^-1>"
    ct, sum_type = "!ckks.ct<level = 1, scale = 2^40>", "!ckks.ct<level = 1, scale = 2^80>"
    body = f"""  %p = ckks.mul %x, %y : {ct}, {ct} -> {product}
  %r = ckks.relinearize %p : {product} -> {sum_type}
  %z = ckks.rescale %r : {sum_type} -> {result}"""
    done = run(module_text([[1], [1, 2]], body, result), tmp_path)
    assert done.text.count("rns.mod_down") == 0
    assert done.text.count("rns.rescale") == 2
    ((_, served, key),) = done.keys
    square = ckks.mul_ct(done.params, done.x, done.y)
    before = ckks.rescale_ct(done.params, ckks.relinearize(served, square, key), 0).parts
    switched = ckks.inner_product(served, square.parts[2], 1, key)
    q = done.lifted_modulus
    lifted = tuple(ckks.add(ckks.scale_by(c, done.p, q), u, q) for c, u in zip(square.parts, switched))
    done.check(before, lifted, done.p * LIMBS[2], (1 + 1 / LIMBS[2] ** 2) * done.rounding)


def test_a_linear_transform_is_divided_and_rescaled_at_once(tmp_path):
    """All of them together, which the literature calls double hoisting."""
    ct, product = "!ckks.ct<level = 1, scale = 2^40>", "!ckks.ct<level = 1, scale = 2^40 * q2>"
    result = "!ckks.ct<level = 0, scale = 2^40>"
    body = "\n".join(
        f"""  %r{k} = ckks.rotate %x {{by = {k + 1}}} : {ct}
  %p{k} = ckks.mul_plain %r{k} {{value = {dense(2 * WEIGHTS[k])}, scale = #ckks.scale<q2>}} : {ct} -> {product}"""
        for k in range(2)
    )
    body += f"\n  %s = ckks.add %p0, %p1 : {product}\n  %z = ckks.rescale %s : {product} -> {result}"
    done = run(module_text([[1], [1, 2]], body, result), tmp_path)
    assert done.text.count("rns.mod_down") == 0
    assert done.text.count("rns.rescale") == 2
    q, factors = LIMBS[2], [ckks.encode(2 * weights, LIMBS[2], N) for weights in WEIGHTS]
    (lifted_a, a), (lifted_b, b) = (done.lifted_rotation(k) for k in (1, 2))
    total = ckks.Ciphertext(combined(done, (a, b), factors, ckks.modulus(done.params, 1)), 1, 1)
    before = ckks.rescale_ct(done.params, total, 0).parts
    lifted = combined(done, (lifted_a, lifted_b), factors, done.lifted_modulus)
    products = sum(c * c for factor in factors for c in factor) / q**2
    done.check(before, lifted, done.p * q, (products + 1) * done.rounding)
    assert done.z.parts != before
