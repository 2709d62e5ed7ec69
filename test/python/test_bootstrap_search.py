"""Bootstraps that a precision asks for: the search from Python, and `sluice params`."""

from __future__ import annotations

import json
import re

import pytest

from sluice import bootstrap
from sluice.errors import InvalidArgumentError
from test_cli import sluice


def test_plans_in_order():
    found = bootstrap.search(20, slots=2**10, levels=8, count=3)
    assert len(found) == 3
    costs = [plan.expected_ms / plan.levels_left for plan in found]
    assert costs == sorted(costs)
    for plan in found:
        assert plan.slots == 2**10
        assert plan.levels_left >= 8
        assert plan.log2_failure <= -128
        assert plan.security_row == "uniform ternary, N = 2^16"
        assert plan.expected_bits > 19.8
        assert not plan.insecure
        sizes = plan.level_bits
        assert len(sizes["eval_mod"]) >= plan.double_angles + plan.degree.bit_length()


def test_the_secret_that_is_named():
    (dense,) = bootstrap.search(20, slots=2**10, count=1)
    (sparse,) = bootstrap.search(20, slots=2**10, secret="sparse-192", count=1)
    assert sparse.secret == "sparse-192"
    assert sparse.log_qp <= 1553
    assert dense.log_qp > 1553


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ({"bits": 45}, r"no bootstrap of 1024 slots with 1 levels left has 45 bits: \d+ are the most;"),
        ({"bits": 20, "levels": 90}, r"with 90 levels left has 20 bits: none has, whatever the precision"),
        ({"bits": 0}, "bits must be more than 0"),
        ({"bits": 20, "slots": 1000}, "slots must be a power of two from 32 to 65536"),
        ({"bits": 20, "failure": -40}, "log2_failure must be -128 or less"),
        ({"bits": 20, "secret": "binary"}, "there is no main secret 'binary'"),
        ({"bits": 20, "levels": 0}, "levels must be from 1 to 100"),
    ],
)
def test_what_cannot_be(request_, message):
    with pytest.raises(InvalidArgumentError, match=message):
        bootstrap.search(**({"slots": 2**10} | request_))


def test_the_command(tmp_path):
    command = ["params", "--bits", "16", "--slots", "1024", "--count", "2"]
    done = sluice(tmp_path, *command, "--bits", "20", "--plot", "candidates.svg", "--json")
    assert done.returncode == 0, done.stderr
    candidates = json.loads(done.stdout)["candidates"]
    assert [(one["wanted_bits"], one["rank"]) for one in candidates] == [(16, 1), (16, 2), (20, 1), (20, 2)]
    assert all(one["log_qp"] <= 1747 for one in candidates)
    assert "<svg" in (tmp_path / "candidates.svg").read_text()
    rows = sluice(tmp_path, *command).stdout.splitlines()
    assert re.match(r"16 bits +1\. \d\d\.\d bits, \d\.\d\d s, \d+ levels \(log Q \d+\), keys", rows[0])
    assert len(rows) == 2


def test_refusals_of_the_command(tmp_path):
    refused = sluice(tmp_path, "params", "--bits", "60", "--slots", "1024")
    assert refused.returncode == 1
    assert "has 60 bits: " in refused.stderr
    picture = sluice(tmp_path, "params", "--bits", "12", "--slots", "1024", "--count", "1", "--plot", "x.gif")
    assert picture.returncode == 1
    assert "pictures are written as .svg, .png, .pdf" in picture.stderr
    for other in (["--rounds", "2"], ["--nested"]):
        both = sluice(tmp_path, "bench", "bootstrap", "--bits", "12", *other)
        assert both.returncode == 2
        assert "levels that share limbs" in both.stderr
