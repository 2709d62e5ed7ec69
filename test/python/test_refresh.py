"""Programs whose bootstraps have no plan: it follows from the precision that is asked for."""

from __future__ import annotations

import json

import numpy as np
import pytest

import sluice as sl
from sluice.manifest import Manifest
from sluice.program import Options, Program, Source

POWER = """
#layout = #ckks.layout<shape = [32], lanes = 32, batch = 1, batched = false>
module attributes {ckks.slots = 32 : i64} {
func.func @power(%x: !ckks.ct {ckks.name = "x", ckks.layout = #layout, ckks.range = [-1.0, 1.0]})
    -> (!ckks.ct {ckks.name = "y", ckks.layout = #layout}) {
  %0 = ckks.square %x : !ckks.ct
  %1 = ckks.refresh %0 : !ckks.ct
  %2 = ckks.square %1 : !ckks.ct
  %3 = ckks.mul %2, %1 : !ckks.ct
  return %3 : !ckks.ct
}
}
"""


def power(precision: float) -> Source:
    return Source(POWER, "<power>", Options(precision, from_phase="packed"))


def test_what_cannot_be():
    with pytest.raises(sl.SluiceError, match=r"no bootstrap of 32 slots leaves 2 levels and has 50 bits; \d+ bits are"):
        power(50).compile("planned")


@pytest.mark.slow
def test_it_delivers_what_it_is_asked_for():
    """Keys of 0.6 GB: what is measured over all runs is what was asked for."""
    source = power(16)
    result = source.compile("artifact")
    program = Program(result.artifact, Manifest(result.manifest), source, json.loads(result.report_json))
    chosen = program.candidates[0]
    assert chosen["verdict"] == "chosen"
    assert chosen["bits"] >= 16.6
    client = sl.Client(program.manifest)
    server = sl.Server(program, client.evaluation_keys)
    rng = np.random.default_rng(0)
    errors = []
    for _ in range(16):
        x = rng.uniform(-1, 1, 32)
        errors.append(client.decrypt(server(client.encrypt(x))) - x**6)
    bits = -np.log2(np.sqrt(np.mean(np.square(errors))))
    print(f"\n{bits:.2f} bits, {chosen['bits']:.2f} expected")
    assert bits >= 16
