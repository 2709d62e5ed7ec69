"""The reference itself, against the unit numbers and the noise formulas of docs/mathematics.md."""

import cmath
import random
import statistics
from dataclasses import replace
from fractions import Fraction
from math import prod, sqrt

import pytest

from ckks import (
    Params,
    add_ct,
    apply_galois,
    automorphism,
    base_convert,
    bit_reverse,
    centred,
    decode,
    decrypt,
    digit_unit,
    encode,
    encrypt,
    encrypt_public,
    from_eval,
    from_rows,
    inner_product,
    is_prime,
    key_switch,
    mod_down,
    mul,
    mul_ct,
    ntt_primes,
    psi,
    public_key,
    relinearize,
    rescale,
    rescale_ct,
    rotate,
    rotation_element,
    round_div,
    rows,
    scale_by,
    secret,
    switching_key,
    to_eval,
    uniform,
)
from uniform import chacha20_block, expand_uniform

# --- Unit numbers ---------------------------------------------------------------------------------


def test_encode_unit_numbers():
    """Section 1, N = 8, Delta = 2^20."""
    expected = [2621440, -283743, -370728, -685015, 0, 685015, 370728, 283743]
    assert encode([1, 2, 3, 4], 2**20, 8) == expected
    rotated = [2621440, -685015, 370728, 283743, 0, -283743, -370728, 685015]
    assert encode([2, 3, 4, 1], 2**20, 8) == rotated
    q = 2**40
    assert [centred(x, q) for x in automorphism(expected, 5, q)] == rotated
    complex_values = [1 + 1j, 2 - 1j, 0.5j, -1]
    assert encode(complex_values, 2**20, 8) == [
        524288, -250795, 463410, 1048299, 131072, -605474, 463410, -133265,
    ]  # fmt: skip


def test_decode_is_evaluation_at_the_roots():
    """An independent evaluation: slot j is a(zeta^(5^j)), zeta = exp(i pi / N)."""
    rng, n = random.Random(1), 32
    a = [rng.randrange(-1000, 1000) for _ in range(n)]
    for j, z in enumerate(decode(a, 1, n // 2)):
        zeta = cmath.exp(1j * cmath.pi / n * pow(5, j, 2 * n))
        assert abs(z - sum(c * zeta**k for k, c in enumerate(a))) < 1e-8


@pytest.mark.parametrize("n", [1, 2, 8, 16])
def test_encode_decode_sparse(n):
    rng = random.Random(n)
    values = [complex(rng.uniform(-1, 1), rng.uniform(-1, 1)) for _ in range(n)]
    slots = decode(encode(values, 2**60, 32), 2**60, 16)
    assert all(abs(z - values[k % n]) < 1e-15 for k, z in enumerate(slots))


def test_base_conversion_unit_numbers():
    """Section 2.1: q = (17, 97), x = 1000 is -649 centred; 29 modulo 113."""
    assert base_convert([1000], [17, 97], [113]) == [[29]]
    assert base_convert([824, 825], [17, 97], [113]) == [[824 % 113, (825 - 1649) % 113]]


def test_rational_rescale_unit_numbers():
    """Section 16.6."""
    a, b, c = [17, 97, 193], [113, 193], 123456
    assert [c % q for q in a] == [2, 72, 129]
    assert centred(113 * c, 1649) == -12
    assert rescale([c], a, b) == [8460] == [round_div(113 * c, 1649)]
    assert [8460 % q for q in b] == [98, 161]
    assert rescale([16 * c], a, b) == [4506] and [4506 % q for q in b] == [99, 67]
    assert centred(16 * c, prod(a)) == 65754


def test_digit_units():
    """Section 16.6: U = (17, 97 | 113 | 193) and the digits of two values."""
    params = Params(3, (17, 97, 113, 193), (), ((0, 1, 3), (2, 3)), ((0, 1), (2,), (3,)))
    units = [digit_unit(params, j) for j in range(3)]
    assert units == [6477273, 9547710, 19938059]
    for c, level, digits in ((123456, 0, (-219, 0, -64)), (14411, 1, (0, -53, -64))):
        q = prod(params.primes(params.levels[level]))
        assert sum(d * w for d, w in zip(digits, units)) % q == c % q


def test_mod_down_is_rounding():
    special, limbs, rng = [193], [17, 97, 113], random.Random(2)
    q = prod(special + limbs)
    for x in [rng.randrange(q) for _ in range(200)]:
        expected = round_div(centred(x, q), 193) % prod(limbs)
        assert mod_down([x], special, limbs) == [expected]


def test_primes():
    assert [q for q in range(200) if is_prime(q)][-3:] == [193, 197, 199]
    assert not is_prime(3215031751) and not is_prime(2**49 + 1) and is_prime(2**61 - 1)
    assert all(q % 64 == 1 and is_prime(q) and q < 2**20 for q in ntt_primes(5, 20, 3))


# --- Forms ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("log_n", [3, 5])
def test_evaluation_form(log_n):
    n, q, rng = 1 << log_n, ntt_primes(log_n, 30, 1)[0], random.Random(3)
    a, b = ([rng.randrange(q) for _ in range(n)] for _ in range(2))
    assert pow(psi(q, n), n, q) == q - 1
    assert from_eval(to_eval(a, q), q) == a
    product = [x * y % q for x, y in zip(to_eval(a, q), to_eval(b, q))]
    assert to_eval(mul(a, b, q), q) == product
    limbs = ntt_primes(log_n, 20, 3)
    wide = [rng.randrange(prod(limbs)) for _ in range(n)]
    assert from_rows(rows(wide, limbs), limbs) == wide


def test_automorphism_permutes_the_evaluation_form():
    """Section 1: natural order, N = 8, g = 5, natural order; bit reversal conjugates it."""
    n, q, rng = 8, ntt_primes(3, 30, 1)[0], random.Random(4)
    a = [rng.randrange(q) for _ in range(n)]
    before, after = to_eval(a, q), to_eval(automorphism(a, 5, q), q)
    pi = [2, 7, 4, 1, 6, 3, 0, 5]
    natural = [before[bit_reverse(pi[j], 3)] for j in range(n)]
    assert [after[bit_reverse(j, 3)] for j in range(n)] == natural


def test_chacha20():
    """RFC 8439, 2.3.2, whose 12-byte nonce puts its first word where our counter's high half is."""
    key = bytes(range(32))
    block = chacha20_block(key, bytes.fromhex("0000004a00000000"), 1 + (0x09000000 << 32))
    assert block[:16].hex() == "10f1e7e4d13b5915500fdd1fa32071c4"
    values = expand_uniform(key, 1, 2, 97, 1000)
    assert max(values) == 96 and min(values) == 0 and len(values) == 1000


# --- The scheme -----------------------------------------------------------------------------------


def open_chain(log_n=5) -> Params:
    """Terminals of 28 and 33 bits, three fulls and P; level 2 is not inside level 3."""
    fulls = ntt_primes(log_n, 50, 4)
    limbs = (*fulls, ntt_primes(log_n, 28, 1)[0], ntt_primes(log_n, 33, 1)[0])
    levels = ((1,), (1, 4), (1, 2, 5), (1, 2, 3, 4))
    return Params(log_n, limbs, (0,), levels, ((4,), (5,), (1,), (2,), (3,)))


def close(slots, values, bits):
    return all(abs(z - v) < 2.0**-bits for z, v in zip(slots, values))


def test_circuit_over_an_open_chain():
    """Encrypt, add, multiply, relinearise, rescale by adding one limb and dropping two, rotate."""
    params, rng, scale = open_chain(), random.Random(5), Fraction(2**40)
    half = params.n // 2
    s = secret(params, rng)
    s2 = mul(s, s, 2**80)
    relin = switching_key(params, [centred(x, 2**80) for x in s2], s, rng)
    x, y = ([rng.uniform(-1, 1) for _ in range(half)] for _ in range(2))
    ct_x = encrypt(params, s, encode(x, scale, params.n), 3, scale, rng)
    pk = public_key(params, s, rng)
    ct_y = encrypt_public(params, pk, encode(y, scale, params.n), 3, scale, rng)
    total = add_ct(params, ct_x, ct_y)
    product = rescale_ct(params, relinearize(params, mul_ct(params, total, ct_y), relin), 2)
    added, dropped = params.limbs[5], params.limbs[3] * params.limbs[4]
    assert product.scale == scale * scale * added / dropped
    g = rotation_element(3, params.n)
    galois = switching_key(params, [centred(c, 9) for c in automorphism(s, g, 9)], s, rng)
    rotated = rotate(params, product, 3, galois)
    expected = [(a + b) * b for a, b in zip(x, y)]
    expected = expected[3:] + expected[:3]
    assert close(decode(decrypt(params, s, rotated), rotated.scale, half), expected, 20)
    conjugate = switching_key(params, [centred(c, 9) for c in automorphism(s, -1 % 64, 9)], s, rng)
    same = apply_galois(params, rotated, 2 * params.n - 1, conjugate)
    assert close(decode(decrypt(params, s, same), same.scale, half), expected, 20)


@pytest.mark.parametrize("special", [(0,), ()])
@pytest.mark.parametrize("level", range(4))
def test_public_key_serves_every_level(level, special):
    """Section 0: sigma^2 (2N/3 + 1 + h) (b/a)^2 + (1 + h) / 12, without the rounding where nothing is divided."""
    params, rng = replace(open_chain(6), special=special), random.Random(6)
    s = secret(params, rng)
    message = encode([0.5, -0.25], 2**20, params.n)
    noise = []
    for _ in range(32):
        pk = public_key(params, s, rng)
        raw = decrypt(params, s, encrypt_public(params, pk, message, level, 2**20, rng))
        noise += [a - b for a, b in zip(raw, message)]
    limbs, top = params.primes(params.levels[level]), params.primes(params.levels[-1])
    source = params.primes(special) + (limbs if set(limbs) <= set(top) else top)
    factor, h = prod(limbs) / prod(source), sum(map(abs, s))
    predicted = params.sigma**2 * (params.n * 2 / 3 + 1 + h) * factor**2 + (factor != 1) * (1 + h) / 12
    assert 0.85 < statistics.pstdev(noise) / sqrt(predicted) < 1.15


@pytest.mark.parametrize("level", range(4))
def test_key_switch_noise(level):
    """Sections 3 and 16.4: N sigma^2 / (12 P^2) * sum D_j^2 + (1 + h) / 12, alive limbs only."""
    params, rng = open_chain(6), random.Random(7 + level)
    s, source = secret(params, rng), secret(params, rng)
    key = switching_key(params, source, s, rng)
    q = prod(params.primes(params.levels[level]))
    errors = []
    for _ in range(8):
        c = uniform(params, rng, q)
        c0, c1 = key_switch(params, c, level, key)
        got = [a + b - d for a, b, d in zip(c0, mul(c1, s, q), mul(c, source, q))]
        errors += [centred(x, q) for x in got]
    p = params.limbs[0]
    alive = (prod(i for k, i in enumerate(params.limbs) if k in d and k in params.levels[level])
             for d in params.digits)  # fmt: skip
    squares = sum(Fraction(d, p) ** 2 for d in alive if d > 1)
    h = sum(map(abs, s))
    predicted = params.n * params.sigma**2 / 12 * float(squares) + (1 + h) / 12
    assert 0.85 < statistics.pstdev(errors) / sqrt(predicted) < 1.15


def test_inner_product_before_mod_down():
    """u + v * s = P * c * source modulo the limbs of the level, up to the digits' errors."""
    params, rng = open_chain(), random.Random(8)
    s, source = secret(params, rng), secret(params, rng)
    key = switching_key(params, source, s, rng)
    q = prod(params.primes(params.levels[2]))
    c = uniform(params, rng, q)
    u, v = inner_product(params, c, 2, key)
    p = params.limbs[0]
    difference = [
        centred(a + b - d, p * q) for a, b, d in zip(u, mul(v, s, p * q), scale_by(mul(c, source, q), p, p * q))
    ]
    assert max(map(abs, difference)) < 2**50 * 8 * params.sigma * params.n
