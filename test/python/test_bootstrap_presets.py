"""Presets of bootstraps: their programs, the command that measures them, the page that lists them."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest

import sluice as sl
from sluice import bootstrap
from sluice.errors import InvalidArgumentError, NotFoundError
from sluice.precision import measure_precision
from test_cli import sluice

ROOT = Path(__file__).resolve().parents[2]
TINY = "insecure_tiny"


@pytest.mark.parametrize("preset", [TINY, "insecure_tiny_encapsulated"])
def test_complex_values_survive(preset):
    program = bootstrap.program(preset, complex_values=True, insecure=True)
    client = sl.Client(program.manifest, insecure=True)
    slots = bootstrap.plan(preset).slots
    re, im = np.random.default_rng(5).uniform(-1, 1, (2, slots))
    result = client.decrypt(sl.Server(program, client.evaluation_keys)(client.encrypt(re + 1j * im)))
    for part, expected in ((result.real, re), (result.imag, im)):
        assert measure_precision(part, expected).bits_of_std > 18


@pytest.mark.parametrize("rounds", [1, 2])
def test_the_certificate_knows_how_often_they_fail(rounds):
    """The plan's probability where the weight under ModRaise is fixed; else one that is no larger."""
    for preset, slack in ((TINY, 3), ("insecure_tiny_encapsulated", 0)):
        found = json.loads(bootstrap.program(preset, rounds=rounds, insecure=True).manifest)["certificate"]
        expected = bootstrap.plan(preset, rounds=rounds).log2_failure
        assert expected - slack - 1e-9 <= found["log2_failure"] <= expected + 1e-9
    assert [key["object"] for key in found["keys"]][-2:] == ["to_ephemeral", "to_main"]


def test_results_are_operands():
    """Errors of bootstraps that are independent add up as the root of their number, all alike as their number."""
    program = bootstrap.program(TINY, complex_values=True, repeatable=True, insecure=True)
    client = sl.Client(program.manifest, insecure=True)
    server = sl.Server(program, client.evaluation_keys)
    re, im = np.random.default_rng(8).uniform(-1, 1, (2, 256))
    values = re + 1j * im
    ciphertext, bits = client.encrypt(values), []
    for _ in range(4):
        ciphertext = server(ciphertext)
        bits.append(measure_precision(client.decrypt(ciphertext), values).bits_of_std)
    assert bits[0] > 15
    assert bits[0] - 2.5 < bits[3] < bits[0]
    exact = program.simulate(values)
    assert measure_precision(exact, values).bits_of_std > 14
    assert np.iscomplexobj(exact)


def test_results_of_others_are_no_operands():
    """The operand of this program has another level than its result."""
    program = bootstrap.program(TINY, insecure=True)
    client = sl.Client(program.manifest, insecure=True)
    server = sl.Server(program, client.evaluation_keys)
    result = server(client.encrypt(np.zeros(256)))
    with pytest.raises(InvalidArgumentError, match=r"output .z. was given, but .* has no input of that name, shape"):
        server(result)
    with pytest.raises(InvalidArgumentError, match="expected real numbers, got an array of complex128"):
        client.encrypt(np.zeros(256, complex))


def test_many_bootstraps_in_turn(tmp_path):
    command = ["bench", "successive", "--preset", TINY, "--insecure", "--count", "5", "--folder", "."]
    done = sluice(tmp_path, *command, "--json")
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    bits = [one["precision"]["bits_of_std"] for one in said["bootstraps"]]
    assert len(bits) == 5
    assert bits[0] > 15
    assert bits[4] < bits[0]
    table = sluice(tmp_path, *command).stdout
    assert re.findall(r"^(?:after|) +(\d): .* bits in the mean", table, re.MULTILINE) == ["1", "2", "4", "5"]
    assert list(tmp_path.iterdir()) == []


def test_real_values_survive():
    program = bootstrap.program(TINY, insecure=True)
    client = sl.Client(program.manifest, insecure=True)
    x = np.linspace(-1, 1, bootstrap.plan(TINY).slots)
    z = client.decrypt(sl.Server(program, client.evaluation_keys)(client.encrypt(x)))
    assert measure_precision(z, x).bits_of_std > 15


def test_stages_have_times():
    program = bootstrap.program(TINY, insecure=True)
    client = sl.Client(program.manifest, insecure=True)
    server = sl.Server(program, client.evaluation_keys)
    server(client.encrypt(np.zeros(256)))
    names = [name for name, _ in server.stages_ms]
    assert names == ["ModRaise", "CoeffsToSlots", "EvalMod", "SlotsToCoeffs"]
    assert 0 < sum(ms for _, ms in server.stages_ms) <= server.compute_ms


def test_insecure_presets_are_accepted_by_name_only():
    with pytest.raises(InvalidArgumentError, match="'insecure_tiny' is for tests"):
        bootstrap.program(TINY)
    with pytest.raises(NotFoundError, match=r"no bootstrap preset 'set9'; the presets are set1"):
        bootstrap.plan("set9")


def test_the_benchmark(tmp_path):
    done = sluice(
        tmp_path, "bench", "bootstrap", "--preset", TINY, "--insecure", "--runs", "3", "--folder", ".", "--json"
    )
    assert done.returncode == 0, done.stderr
    assert "sluice: making keys" in done.stderr
    said = json.loads(done.stdout)
    plan = bootstrap.plan(TINY)
    assert said["preset"] == TINY
    assert len(said["runs_ms"]) == 3
    assert said["cold_ms"] == said["runs_ms"][0]
    assert said["warm_ms"] in said["runs_ms"][1:]
    assert [stage["name"] for stage in said["stages"]] == ["ModRaise", "CoeffsToSlots", "EvalMod", "SlotsToCoeffs"]
    assert (said["levels_left"], said["log2_failure"]) == (plan.levels_left, plan.log2_failure)
    precision = said["precision"]["all"]
    assert precision["worst_bits"] < precision["bits_of_std"] < precision["mean_bits"]
    assert abs(precision["bits_of_std"] - said["forecast_bits"]) < 1.5
    assert said["throughput_bits_per_s"] == pytest.approx(
        plan.slots * precision["bits_of_mean"] * plan.log_q_left / said["warm_ms"] * 1000
    )
    memory = said["memory"]
    assert memory["predicted_bytes"] == sum(memory["predicted"].values())
    assert 0.7 < memory["predicted_bytes"] / memory["peak_bytes"] < 1.3
    assert list(tmp_path.iterdir()) == []  # nothing stays


def test_the_benchmark_as_a_table(tmp_path):
    done = sluice(tmp_path, "bench", "bootstrap", "--preset", TINY, "--insecure", "--runs", "2")
    assert done.returncode == 0, done.stderr
    assert re.search(r"^security +INSECURE, log QP", done.stdout, re.MULTILINE)
    assert re.search(r"^left +2 levels, log Q 130", done.stdout, re.MULTILINE)
    refused = sluice(tmp_path, "bench", "bootstrap", "--preset", TINY)
    assert refused.returncode == 1
    assert "insecure_tiny" in refused.stderr
    listed = sluice(tmp_path, "bench", "bootstrap", "--list")
    assert listed.stdout.split() == bootstrap.presets()


def test_precision_of_known_errors():
    """Errors of 2^-10 and, as often, 2^-20."""
    precision = measure_precision(np.tile([2.0**-10, -(2.0**-20)], 50), np.zeros(100))
    assert precision.mean_bits == pytest.approx(15)
    assert precision.worst_bits == 10
    assert precision.bits_of_mean == pytest.approx(-math.log2((2.0**-10 + 2.0**-20) / 2))
    assert precision.bits_of_std == pytest.approx(-math.log2((2.0**-10 + 2.0**-20) / 2))
    assert measure_precision(np.zeros(3), np.zeros(3)).worst_bits == 60


def documented_presets() -> dict[str, list[str]]:
    rows = re.findall(r"^\| `(\w+)` \|(.*)\|$", (ROOT / "docs/bootstrap.md").read_text(), re.MULTILINE)
    return {name: [cell.strip() for cell in rest.split("|")] for name, rest in rows}


def test_the_page_lists_the_presets():
    documented = documented_presets()
    assert list(documented) == bootstrap.presets()
    for name, (ring, secret, left, log_qp, failure, *_) in documented.items():
        plan = bootstrap.plan(name)
        assert ring == f"2^{plan.log_n}, {plan.slots}"
        assert secret == plan.secret + (", ephemeral-32" if plan.has_ephemeral else "")
        assert left == f"{plan.levels_left}, {plan.log_q_left:.0f}"
        assert log_qp == f"{plan.log_qp:.0f}"
        assert failure == f"2^{plan.log2_failure:.1f}"
