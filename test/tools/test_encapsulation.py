"""The ephemeral secret: programs that switch to it and back, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import ckks
from residues import compile_settled, run_encrypted

CT = "!ckks.ct<level = {}, scale = 2^40>"
EPHEMERAL = "!ckks.ct<level = {}, scale = 2^40, secret = ephemeral>"


def module(log_n: int, security: int, level_bits: tuple[int, ...] = (44, 40)) -> str:
    """A program that switches its argument to the ephemeral secret and back at level 0, limb 2 being the bottom one."""
    big = ckks.ntt_primes(log_n, 50, 2)
    limbs = big + [ckks.ntt_primes(log_n, bits, 1)[0] for bits in level_bits]
    levels = [list(range(2, 3 + level)) for level in range(len(level_bits))]
    bottom, inside = CT.format(0), EPHEMERAL.format(0)
    return f"""#params = #ckks.params<logN = {log_n}, limbs = {limbs}, special = [0], levels = {levels},
  digits = {[[limb] for limb in levels[-1]]}, slots = {2 ** (log_n - 1)}, security = {security},
  ephemeral = "ephemeral-32", ephemeral_special = [1]>
module attributes {{ckks.params = #params}} {{
func.func @f(%x: {bottom} {{ckks.name = "x", ckks.range = [-1.0, 1.0]}}) -> ({bottom} {{ckks.name = "z"}}) {{
  %0 = ckks.switch_key %x : {bottom} -> {inside}
  %z = ckks.switch_key %0 : {inside} -> {bottom}
  return %z : {bottom}
}}
}}
"""


def test_values_survive_both_switches(tmp_path):
    source = tmp_path / "source.mlir"
    source.write_text(module(9, 0))
    x = np.random.default_rng(1).uniform(-1, 1, 256)
    manifest = run_encrypted(source, tmp_path, {"x": x}, ["z"])
    kinds = [key["kind"] for key in manifest["evaluation_keys"]]
    assert kinds == ["to_ephemeral", "to_main"]
    z = np.load(tmp_path / "z.npy").ravel()
    assert 20 < -np.log2(np.std(z - x)) < 40


@pytest.mark.parametrize(
    ("log_n", "bits", "message"),
    [
        (
            15,
            (44, 40),
            "the key for the ephemeral secret has 94 bits, which no row of the security table covers",
        ),
        (
            16,
            (48, 40),
            None,
        ),
    ],
)
def test_the_table_decides(tmp_path, log_n, bits, message):
    source = tmp_path / "source.mlir"
    source.write_text(module(log_n, 128, bits))
    done = compile_settled(source, "-o", tmp_path / "p.sluice", expect=1 if message else 0)
    assert (message or "") in done.stderr


def test_a_key_beyond_the_row_is_refused(tmp_path):
    """Two limbs at the bottom: 45 + 45 + 50 bits, more than 117."""
    log_n = 16
    limbs = ckks.ntt_primes(log_n, 50, 2) + ckks.ntt_primes(log_n, 45, 2)
    text = module(log_n, 128).splitlines()
    text[0] = f"#params = #ckks.params<logN = {log_n}, limbs = {limbs}, special = [0], levels = [[2, 3]],"
    text[1] = f"  digits = [[2], [3]], slots = {2 ** (log_n - 1)}, security = 128,"
    source = tmp_path / "source.mlir"
    source.write_text("\n".join(text))
    done = compile_settled(source, "-o", tmp_path / "p.sluice", expect=1)
    assert (
        "the key for the ephemeral secret has 140 bits, which the security table does not allow for ephemeral h = 32"
        in done.stderr
    )
