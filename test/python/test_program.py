"""`Program`: what it prints, its stages, its twin with noise, its report."""

from __future__ import annotations

import json

import numpy as np
import pytest

import programs
import sluice as sl

WEIGHTS = np.array([0.5, -1.0, 0.25, 2.0])


def model(x):
    return sl.sigmoid(WEIGHTS @ x - 0.25)


@pytest.fixture(scope="module")
def program() -> sl.Program:
    return sl.compile(model, sl.Secret(4, range=(-1, 1)), precision=16, batch=100)


def test_table_shows_what_the_manifest_says(program):
    manifest = json.loads(program.manifest)
    rows = dict(line.split(maxsplit=1) for line in str(program).splitlines() if not line.startswith(" "))
    security = manifest["security"]
    assert rows["security"] == (
        f"128 bits: log QP {security['log_qp']:.1f} of at most {security['limit']} ({security['row']})"
    )
    assert rows["ring"].startswith(f"N = 2^{manifest['ring']['log_n']}, {manifest['slots']} slots, ")
    assert rows["input"].startswith(f"x: 4 values in [-1, 1], up to {manifest['inputs'][0]['batch']} items, level ")
    assert rows["output"].startswith("result: one value, ")
    assert rows["keys"].startswith(f"{len(manifest['evaluation_keys'])} (1 relinearisation, ")
    assert rows["precision"] == f"{manifest['forecast']['precision_bits']:.1f} bits expected"
    assert manifest["inputs"][0]["batch"] >= 100


def test_stages_from_python_to_llvm(program):
    marks = {
        "traced": "math.exp",
        "packed": "!ckks.ct",
        "planned": "#ckks.params<",
        "settled": "!ckks.ct<level = ",
        "rns": "!rns.poly<",
        "fused": "rns.slots",
        "llvm": "llvm.func @sluice_program_run",
    }
    for name, mark in marks.items():
        assert mark in program.stage(name).as_text(), name


def test_compiling_twice_gives_the_same_bytes(program):
    again = sl.compile(model, sl.Secret(4, range=(-1, 1)), precision=16, batch=100)
    assert again.to_bytes() == program.to_bytes()


def test_mlir_file_is_the_same_program(program, tmp_path):
    path = tmp_path / "model.mlir"
    path.write_text(program.stage("traced").as_text())
    assert sl.compile(path).to_bytes() == program.to_bytes()


def test_twin_with_noise_has_the_forecast_precision(program):
    """The noise model's draw is as large as its forecast says: within one bit, over 100 items and 16 draws."""
    items = np.random.default_rng(0).uniform(-1, 1, (100, 4))
    twin = program.simulate(items)
    errors = [program.simulate(items, noise_seed=seed) - twin for seed in range(16)]
    forecast = json.loads(program.manifest)["forecast"]["precision_bits"]
    assert abs(-np.log2(np.std(errors)) - forecast) < 1


def test_twin_takes_the_shapes_of_the_client(program):
    client = sl.Client(program.manifest)
    server = sl.Server(program, client.evaluation_keys)
    for items in (np.zeros(4), np.zeros((1, 4)), np.zeros((3, 4))):
        assert program.simulate(items).shape == client.decrypt(server(client.encrypt(items))).shape
    with pytest.raises(sl.SluiceError) as caught:
        program.simulate(np.zeros((3, 5)))
    assert str(caught.value) == "input 'x': shape (3, 5), but it must be with a leading axis of items, (4,)"


def test_report_of_a_compiled_program(program, tmp_path):
    program.report(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    headings = ("Security", "Levels", "Evaluation keys", "Candidates", "Operations of the circuit", "Phase settled")
    for heading in headings:
        assert f"<h2>{heading}</h2>" in page
    assert "; chosen</td>" in page and "; pruned: its operations take longer</td>" in page


def test_compiler_errors_show_the_users_line():
    def far(x):
        return np.exp(100 * x)

    with pytest.raises(sl.SluiceError) as caught:
        sl.compile(far, sl.Secret(4, range=(-1, 1)))
    line = far.__code__.co_firstlineno + 1
    assert f"test_program.py:{line}: exp over [-100, 100] needs a polynomial of degree above" in str(caught.value)
    assert "\n    return np.exp(100 * x)\n" in f"{caught.value}\n"


def test_stages_are_those_of_the_artifact_where_larger_levels_had_to_be_tried():
    program = programs.PROGRAMS["two_demands"].compile()
    limbs = ", ".join(str(limb) for limb in json.loads(program.manifest)["ring"]["limbs"])
    assert f"limbs = [{limbs}]" in program.stage("planned").as_text()
    assert f"limbs = [{limbs}]" in program.stage("settled").as_text()


def test_candidates():
    program = sl.compile(lambda x: x * x, sl.Secret(4, range=(-1, 1)))
    chosen, *others = program.candidates
    assert chosen["verdict"] == "chosen"
    assert "reason" not in chosen
    assert chosen["bits"] >= 16
    assert chosen["time_ms"] == pytest.approx(json.loads(program.manifest)["forecast"]["time_ms"])
    assert chosen["key_bytes"] == json.loads(program.manifest)["forecast"]["key_bytes"]
    assert "refused" in {other["verdict"] for other in others}
    assert all(other["reason"] for other in others if other["verdict"] in ("pruned", "refused"))
    with pytest.raises(sl.SluiceError, match="loaded from an artifact, which does not hold its candidates"):
        sl.Program.from_bytes(program.to_bytes()).candidates  # noqa: B018
