"""A textbook CKKS in Python integers: start here.

Everything in Sluice that is fast does what one of these functions does slowly. A polynomial is a
list of N integers (coefficients of X^0 .. X^(N-1), modulo X^N + 1); a modulus is one big integer,
the product of the limbs in use; residues appear only where a test wants to see them (`rows`).
Section numbers are those of docs/mathematics.md; the orders of slots, limbs and evaluation points
are those of docs/formats.md. Every `rng` is a random.Random, so that vectors can be made again:
this code is a reference, not a secure implementation.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt, prod

# --- Numbers ------------------------------------------------------------------------------------


def centred(x: int, q: int) -> int:
    """The representative of x modulo q in (-q/2, q/2]."""
    x %= q
    return x - q if 2 * x > q else x


def round_div(a: int, b: int) -> int:
    """Nearest integer to a / b, b > 0, ties upward."""
    return (2 * a + b) // (2 * b)


def is_prime(q: int) -> bool:
    """Miller-Rabin with the first 12 primes as bases: exact below 3.3e24."""
    bases = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
    if q < 2 or any(q % p == 0 for p in bases):
        return q in bases
    odd, twos = q - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in bases:
        x = pow(base, odd, q)
        if x != 1 and all(pow(x, 2**i, q) != q - 1 for i in range(twos)):
            return False
    return True


def ntt_primes(log_n: int, bits: int, count: int) -> list[int]:
    """The `count` largest primes below 2^bits that are 1 modulo 2N, largest first."""
    step = 2 << log_n
    q, found = (2**bits - 2) // step * step + 1, []
    while len(found) < count:
        if is_prime(q):
            found.append(q)
        q -= step
        assert q > 2 ** (bits - 1), "not enough primes of this size"
    return found


# --- Polynomials --------------------------------------------------------------------------------


def add(a, b, q):
    return [(x + y) % q for x, y in zip(a, b)]


def sub(a, b, q):
    return [(x - y) % q for x, y in zip(a, b)]


def scale_by(a, k, q):
    return [x * k % q for x in a]


def mul(a, b, q):
    """Product modulo X^N + 1 and q."""
    n = len(a)
    out = [0] * (2 * n)
    for i, x in enumerate(a):
        if x:
            for k, y in enumerate(b):
                out[i + k] += x * y
    return [(out[i] - out[i + n]) % q for i in range(n)]


def automorphism(a, g, q):
    """sigma_g: X -> X^g, g odd."""
    n = len(a)
    out = [0] * n
    for i, x in enumerate(a):
        e = i * g % (2 * n)
        out[e % n] = (x if e < n else -x) % q
    return out


def rotation_element(k: int, n: int) -> int:
    """sigma_g with g = 5^k mod 2N rotates the slots left by k; n = N."""
    return pow(5, k % (n // 2), 2 * n)


# --- Residues and the evaluation form -----------------------------------------------------------


def psi(q: int, n: int) -> int:
    """The agreed primitive 2N-th root of unity: from the smallest non-residue a >= 2."""
    a = next(a for a in range(2, q) if pow(a, (q - 1) // 2, q) == q - 1)
    return pow(a, (q - 1) // (2 * n), q)


def bit_reverse(i: int, bits: int) -> int:
    return int(format(i, f"0{bits}b")[::-1], 2) if bits else 0


def to_eval(a, q):
    """Position i holds the value at psi^(2 * bitreverse(i) + 1)."""
    n, root, bits = len(a), psi(q, len(a)), len(a).bit_length() - 1
    points = [pow(root, 2 * bit_reverse(i, bits) + 1, q) for i in range(n)]
    out = []
    for x in points:
        value = 0
        for c in reversed(a):
            value = (value * x + c) % q
        out.append(value)
    return out


def from_eval(values, q):
    """Inverse of to_eval: a_k = (1/N) sum_i values_i * point_i^-k."""
    n, root = len(values), psi(q, len(values))
    bits = n.bit_length() - 1
    out = [0] * n
    for i, v in enumerate(values):
        x = pow(root, -(2 * bit_reverse(i, bits) + 1), q)
        for k in range(n):
            out[k] = (out[k] + v) % q
            v = v * x % q
    return scale_by(out, pow(n, -1, q), q)


def rows(a, limbs, form="eval"):
    """What the runtime stores: a row of N canonical residues for each limb, in the order given."""
    return [to_eval([c % q for c in a], q) if form == "eval" else [c % q for c in a] for q in limbs]


def from_rows(table, limbs, form="eval"):
    """The polynomial modulo prod(limbs) that has these residues (Chinese remainders)."""
    q = prod(limbs)
    out = [0] * len(table[0])
    for row, p in zip(table, limbs):
        unit = q // p * pow(q // p, -1, p)
        coefficients = from_eval(row, p) if form == "eval" else row
        out = [(x + c * unit) % q for x, c in zip(out, coefficients)]
    return out


# --- Base conversion and division (2.1, 2.2, 16.3) ----------------------------------------------


def base_convert(a, source, target):
    """Residues modulo each limb of `target` of the CENTRED value of a modulo prod(source)."""
    d = prod(source)
    return [[centred(x, d) % t for x in a] for t in target]


def rescale(a, source, target):
    """Rational rescale A -> B: round(b * c / a) mod prod(B), a = prod(A \\ B), b = prod(B \\ A)."""
    down = prod(q for q in source if q not in target)
    up = prod(q for q in target if q not in source)
    scaled = [up * centred(x, prod(source)) for x in a]
    return [(x - centred(x, down)) // down % prod(target) for x in scaled]


def mod_down(a, special, limbs):
    """round(c / P) modulo prod(limbs), for c modulo P * prod(limbs)."""
    return rescale(a, list(special) + list(limbs), list(limbs))


# --- Embedding (1) ------------------------------------------------------------------------------

_FIXED = 200  # fractional bits of the fixed-point numbers below: far beyond double


def _roots(order: int) -> list[tuple[int, int]]:
    """(cos, sin)(2 pi k / order) for k < order, in fixed point; order a power of two >= 4."""
    one = 1 << _FIXED
    x, y, size = 0, one, 4  # exp(2 pi i / 4); then halve the angle
    while size < order:
        x, y = isqrt((one + x) * one // 2), isqrt((one - x) * one // 2)
        size *= 2
    out = [(one, 0)]
    for _ in range(order - 1):
        u, v = out[-1]
        out.append(((u * x - v * y) >> _FIXED, (u * y + v * x) >> _FIXED))
    return out


def encode(values, scale, n_ring: int) -> list[int]:
    """Coefficients (centred integers) of the polynomial whose slots are scale * values.

    len(values) = n divides N/2; fewer than N/2 values are repeated: the polynomial lives in
    Y = X^(N/2n).
    Coefficient k of Y is round(scale * Re w_k), coefficient n + k is round(scale * Im w_k),
    w_k = (1/n) sum_j z_j * conj(exp(i pi / 2n))^(k * 5^j).
    """
    n = len(values)
    scale, root, out = Fraction(scale), _roots(4 * n), [0] * n_ring
    exact = [(Fraction(complex(z).real), Fraction(complex(z).imag)) for z in values]
    for k in range(n):
        re = im = Fraction(0)
        for j, (x, y) in enumerate(exact):
            c, s = root[k * pow(5, j, 4 * n) % (4 * n)]
            re += x * c + y * s
            im += y * c - x * s
        for position, part in ((k, re), (n + k, im)):
            value = part * scale / n / (1 << _FIXED)
            out[position * n_ring // (2 * n)] = round_div(value.numerator, value.denominator)
    return out


def decode(a, scale, n: int) -> list[complex]:
    """The first n slots of a polynomial with (centred) integer coefficients, over the scale."""
    n_ring, scale = len(a), Fraction(scale)
    root = _roots(2 * n_ring)
    out = []
    for j in range(n):
        g = pow(5, j, 2 * n_ring)
        re = sum(x * root[k * g % (2 * n_ring)][0] for k, x in enumerate(a))
        im = sum(x * root[k * g % (2 * n_ring)][1] for k, x in enumerate(a))
        unit = scale * (1 << _FIXED)
        out.append(complex(float(re / unit), float(im / unit)))
    return out


# --- The scheme ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Params:
    log_n: int
    limbs: tuple[int, ...]  # primes; everything below indexes into it
    special: tuple[int, ...]  # the limbs of P
    levels: tuple[tuple[int, ...], ...]  # limb set of each level, in storage order
    digits: tuple[tuple[int, ...], ...]  # partition of the union of the levels
    sigma: float = 3.2

    @property
    def n(self) -> int:
        return 1 << self.log_n

    def primes(self, indices) -> list[int]:
        return [self.limbs[i] for i in indices]

    @property
    def union(self) -> list[int]:
        return [i for digit in self.digits for i in digit]


@dataclass(frozen=True)
class Ciphertext:
    """parts[0] + parts[1] * s + parts[2] * s^2 + ... = scale * message + noise modulo the level."""

    parts: tuple[list[int], ...]
    level: int
    scale: Fraction


def modulus(params, level):
    return prod(params.primes(params.levels[level]))


def uniform(params, rng, q):
    return [rng.randrange(q) for _ in range(params.n)]


def error(params, rng):
    return [round(rng.gauss(0, params.sigma)) for _ in range(params.n)]


def secret(params, rng):
    """Uniform ternary."""
    return [rng.randrange(3) - 1 for _ in range(params.n)]


def encrypt(params, s, plaintext, level, scale, rng) -> Ciphertext:
    """(-a*s + e + m, a)."""
    q = modulus(params, level)
    a = uniform(params, rng, q)
    b = sub(add(plaintext, error(params, rng), q), mul(a, s, q), q)
    return Ciphertext((b, a), level, Fraction(scale))


def public_key(params, s, rng):
    """An encryption of zero modulo P and the limbs of the top level."""
    q = prod(params.primes(params.special)) * modulus(params, len(params.levels) - 1)
    a = uniform(params, rng, q)
    return sub(error(params, rng), mul(a, s, q), q), a


def encrypt_public(params, pk, plaintext, level, scale, rng) -> Ciphertext:
    """ModDown(v * pk + (P * m + e0, e1)), v uniform ternary (section 0).

    A level with limbs outside the top level is reached from the top by the rational rescale, a / b in place of P.
    """
    special, top = params.primes(params.special), params.primes(params.levels[-1])
    limbs = params.primes(params.levels[level])
    source = special + (limbs if set(limbs) <= set(top) else top)
    q, v = prod(source), secret(params, rng)
    b, a = (add(mul(v, half, q), error(params, rng), q) for half in pk)
    b = add(b, rescale(plaintext, limbs, source), q)
    return Ciphertext(tuple(rescale(half, source, limbs) for half in (b, a)), level, Fraction(scale))


def decrypt(params, s, ct) -> list[int]:
    """Centred coefficients of parts[0] + parts[1]*s + ..."""
    q = modulus(params, ct.level)
    out = ct.parts[-1]
    for part in reversed(ct.parts[:-1]):
        out = add(part, mul(out, s, q), q)
    return [centred(x, q) for x in out]


def add_ct(params, x, y) -> Ciphertext:
    assert x.level == y.level and x.scale == y.scale and len(x.parts) == len(y.parts)
    q = modulus(params, x.level)
    return Ciphertext(tuple(add(a, b, q) for a, b in zip(x.parts, y.parts)), x.level, x.scale)


def mul_ct(params, x, y) -> Ciphertext:
    """Size 3, scale the product of the scales."""
    assert x.level == y.level and len(x.parts) == len(y.parts) == 2
    q = modulus(params, x.level)
    (a0, a1), (b0, b1) = x.parts, y.parts
    parts = mul(a0, b0, q), add(mul(a0, b1, q), mul(a1, b0, q), q), mul(a1, b1, q)
    return Ciphertext(parts, x.level, x.scale * y.scale)


def rescale_ct(params, x, level) -> Ciphertext:
    """Rational rescale to another level: the value stays, the scale changes by b / a (16.3)."""
    a, b = params.primes(params.levels[x.level]), params.primes(params.levels[level])
    factor = Fraction(prod(b), prod(a))
    return Ciphertext(tuple(rescale(part, a, b) for part in x.parts), level, x.scale * factor)


# --- Key switching with digits (3, 16.4) --------------------------------------------------------


def digit_unit(params, j) -> int:
    """w_j: 1 modulo the limbs of digit j, 0 modulo the other limbs of the union."""
    d, u = prod(params.primes(params.digits[j])), prod(params.primes(params.union))
    return u // d * pow(u // d, -1, d)


def switching_key(params, source, s, rng):
    """From `source` to s: digit j encrypts P * w_j * source modulo P * prod(union)."""
    p = prod(params.primes(params.special))
    q = p * prod(params.primes(params.union))
    key = []
    for j in range(len(params.digits)):
        a = uniform(params, rng, q)
        b = sub(error(params, rng), mul(a, s, q), q)
        key.append((add(b, scale_by(source, p * digit_unit(params, j), q), q), a))
    return key


def inner_product(params, c, level, key):
    """(u, v) = sum_j [c]_{D_j and A} * key_j modulo P and the level's limbs A; no dead digits."""
    alive = params.levels[level]
    q = prod(params.primes(params.special)) * modulus(params, level)
    u = v = [0] * params.n
    for j, digit in enumerate(params.digits):
        d = prod(params.primes(i for i in digit if i in alive))
        if d > 1:
            part = [centred(x, d) for x in c]
            u = add(u, mul(part, key[j][0], q), q)
            v = add(v, mul(part, key[j][1], q), q)
    return u, v


def key_switch(params, c, level, key):
    """(c0, c1) with c0 + c1 * s = c * source, up to noise."""
    p, limbs = params.primes(params.special), params.primes(params.levels[level])
    return tuple(mod_down(half, p, limbs) for half in inner_product(params, c, level, key))


def relinearize(params, x, key) -> Ciphertext:
    """Size 3 -> 2; key = switching_key(s^2)."""
    q = modulus(params, x.level)
    d0, d1 = key_switch(params, x.parts[2], x.level, key)
    return Ciphertext((add(x.parts[0], d0, q), add(x.parts[1], d1, q)), x.level, x.scale)


def apply_galois(params, x, g, key) -> Ciphertext:
    """sigma_g, then key switch of the second half; key = switching_key(sigma_g(s))."""
    q = modulus(params, x.level)
    c0, c1 = (automorphism(part, g, q) for part in x.parts)
    d0, d1 = key_switch(params, c1, x.level, key)
    return Ciphertext((add(c0, d0, q), d1), x.level, x.scale)


def rotate(params, x, k, key) -> Ciphertext:
    """Slot j of the result is slot j + k of x; key as for apply_galois, g = rotation_element(k)."""
    return apply_galois(params, x, rotation_element(k, params.n), key)
