"""bench/peers: when a ratio counts, and what is said when a peer is not there. Needs no Go."""

from __future__ import annotations

import math
import shutil
import subprocess

import pytest

import lattigo_side
import peer_circuits
from compare import compare, void_reasons


def row(**changes):
    same = {
        "operation": "rotate/24", "limbs": 24, "special": 6, "digits": 4, "log_q": 1200.0, "log_qp": 1500.0,
        "slots": 32768, "values": "real", "bits": 33.0, "worst_bits": 30.0, "threads": 1,
        "backend": "cpu", "runs_ms": [2.0],
    }  # fmt: skip
    return same | changes


def test_equal_columns_have_a_ratio():
    (joined,) = compare([[row()]], [[row(runs_ms=[5.0])]], "lattigo")
    assert (joined["ratio"], joined["void"]) == (2.5, [])
    assert joined["sluice"]["log_qp"] == joined["lattigo"]["log_qp"] == 1500.0


@pytest.mark.parametrize(
    "change, reason",
    [
        ({"log_qp": 1495.0}, "our log QP is smaller by 5.0"),
        ({"log_q": 1195.0}, "our log Q is smaller by 5.0"),
        ({"slots": 16384}, "we have 16384 slots, not 32768"),
        ({"bits": 32.5}, "we have 0.5 bits less"),
        ({"bits": None}, "our bits are not known"),
        ({"threads": 2}, "we use 2 threads, not 1"),
    ],
)
def test_a_worse_column_voids_the_ratio(change, reason):
    (joined,) = compare([[row(**change)]], [[row()]], "lattigo")
    assert joined["ratio"] is None
    assert joined["void"] == [reason]


def test_complex_values_are_more_than_real_ones():
    assert void_reasons(row(), row(values="complex")) == ["our values are real, not complex"]
    assert void_reasons(row(values="complex"), row()) == []


@pytest.mark.parametrize("change", [{"log_qp": 1600.0}, {"bits": 40.0}, {"log_qp": 1499.95}, {"bits": 32.95}])
def test_better_columns_and_those_of_equal_parameters_do_not(change):
    assert void_reasons(row(**change), row()) == []


def test_rows_without_bits_on_both_sides_are_compared():
    assert void_reasons(row(bits=None), row(bits=None)) == []


def test_processes_are_pooled():
    processes = [[row(runs_ms=[1.0, 2.0, 9.0], bits=33.0)], [row(runs_ms=[4.0], bits=32.0)], [row(runs_ms=[3.0, 3.0])]]
    (joined,) = compare(processes, [], "lattigo")
    ours = joined["sluice"]
    assert (ours["median_ms"], ours["min_ms"], ours["bits"]) == (3.0, 1.0, 32.0)
    assert (ours["processes"], ours["runs"]) == (3, 6)
    assert "ratio" not in joined and "lattigo" not in joined


def test_our_parameters_are_the_peers():
    """24 limbs of 50 bits and six special ones of 50; P exceeds every digit, and digits are as many."""
    for limbs, digits in {24: 4, 12: 2, 6: 1}.items():
        shape = peer_circuits.columns(limbs - peer_circuits.BASE)
        assert shape == {
            "limbs": limbs, "special": 6, "digits": digits, "log_q": 50.0 * limbs, "log_qp": 50.0 * (limbs + 6),
        }  # fmt: skip
    special = math.prod(peer_circuits.limbs()[: peer_circuits.SPECIAL])
    for digit in peer_circuits.digits():
        assert special > math.prod(peer_circuits.limbs()[i] for i in digit)
    assert [i for digit in peer_circuits.digits() for i in digit] == peer_circuits.level_limbs(peer_circuits.STEPS)


def test_without_go_there_is_a_reason(monkeypatch, tmp_path):
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    assert lattigo_side.build_lattigo(tmp_path) == (
        None,
        "no Go: 'go' is neither in PATH nor in /usr/local/go/bin",
    )


def test_an_old_go_is_not_used(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda *_, **__: "/bin/go")
    printed = subprocess.CompletedProcess([], 0, stdout="go version go1.19.8 linux/amd64\n")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: printed)
    assert lattigo_side.go_command() == (
        None,
        "/bin/go is 'go version go1.19.8 linux/amd64', and Lattigo needs Go 1.24",
    )
