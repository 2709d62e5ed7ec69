"""Sharing decrypted results: the certificate against what happens, and the count across processes."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import sluice as package
import sluice as sl

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(package.__file__).absolute().parents[1]), "COLUMNS": "200"}
BUILD = Path(os.environ.get("SLUICE_BUILD", Path(package.__file__).absolute().parents[2]))
LIMIT = 4


def score(x):
    return sl.sigmoid(x @ np.array([0.8, -0.4, 0.3, -0.1]) - 0.25)


def power(x):
    return x**8


@pytest.fixture(scope="module")
def program() -> sl.Program:
    return sl.compile(score, sl.Secret(4, range=(-3, 3)), precision=8, batch=64, decryptions=LIMIT)


def certificate_of(program: sl.Program) -> dict:
    return json.loads(program.manifest)["certificate"]


def inputs(seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-3, 3, (64, 4))


@pytest.fixture(scope="module")
def output(program, tmp_path_factory) -> tuple[Path, sl.Ciphertext]:
    """A folder of keys that no test uses up, and a result under them."""
    folder = tmp_path_factory.mktemp("keys")
    client = sl.Client(program.manifest)
    client.save(folder)
    server = sl.Server(program, (folder / "eval.keys").read_bytes())
    return folder, server(client.encrypt(inputs()))


@pytest.fixture
def keys(output, tmp_path) -> Path:
    return Path(shutil.copytree(output[0], tmp_path / "keys"))


# --- The certificate -------------------------------------------------------------------------------------------------
def test_certificate_says_what_holds(program):
    """Every number against its formula, from the manifest's own limbs."""
    manifest, certificate = json.loads(program.manifest), certificate_of(program)
    log2 = np.log2(np.array(manifest["ring"]["limbs"], dtype=float))
    special, top = manifest["ring"]["special"], manifest["levels"][-1]
    largest = {"public_key": log2[special + top].sum()}
    for key in manifest["evaluation_keys"]:
        largest[key["kind"]] = max(largest.get(key["kind"], 0), log2[key["limbs"]].sum())
    assert {key["object"]: key["log_qp"] for key in certificate["keys"]} == pytest.approx(largest)
    limits = {12: 106, 13: 214, 14: 430, 15: 868, 16: 1747, 17: 3523}
    assert {key["limit"] for key in certificate["keys"]} == {limits[manifest["ring"]["log_n"]]}
    assert (certificate["decryptions"], certificate["statistical_bits"]) == (LIMIT, 30)
    assert "log2_failure" not in certificate  # no bootstraps
    (one,) = certificate["outputs"]
    assert one["flooding_deviation"] == pytest.approx((12 * LIMIT) ** 0.5 * 2**15 * one["error_norm"])
    assert one["precision_bits"] == pytest.approx(-np.log2(np.hypot(one["deviation"], one["flooding_deviation"])))
    assert one["precision_bits"] >= 8


def part_of_bound(compiled: sl.Program, folder: Path, draw: Callable[[int], np.ndarray], runs: int) -> float:
    """The largest norm of the errors of a decryption, as a part of the certificate's bound.

    Under the public key, whose errors are the larger ones.
    """
    client = sl.Client(compiled.manifest)
    client.save(folder)
    sender = sl.Client.load(compiled.manifest, folder / "public.key")
    server = sl.Server(compiled, client.evaluation_keys)
    bound = certificate_of(compiled)["outputs"][0]["error_norm"]
    largest = 0.0
    for seed in range(runs):
        x = draw(seed)
        errors = client.decrypt(server(sender.encrypt(x))) - compiled.simulate(x)
        largest = max(largest, float(np.linalg.norm(errors)) / bound)
    return largest


def test_errors_stay_below_the_bound(program, tmp_path):
    # Norms lie near a quarter of it, the margin, and less where inputs are not the worst.
    assert 1 / 32 < part_of_bound(program, tmp_path, inputs, runs=4) < 1


def test_errors_stay_below_the_bound_at_the_worst_inputs(tmp_path):
    """An error of x is multiplied by 8 x^7, most at either end of the range."""
    steep = sl.compile(power, sl.Secret((), range=(-1, 1)), precision=6, batch=128, decryptions=1)

    def at_ends(seed: int) -> np.ndarray:
        return np.random.default_rng(seed).choice([-1.0, 1.0], 128)

    ends = part_of_bound(steep, tmp_path, at_ends, runs=3)
    assert 1 / 8 < ends < 1


def test_shared_values_have_the_deviation_of_the_certificate(program, keys, output):
    client = sl.Client.load(program.manifest, keys / "secret.key")
    plain = client.decrypt(output[1])
    errors = np.concatenate([client.decrypt(output[1], share=True) - plain for _ in range(LIMIT)])
    expected = certificate_of(program)["outputs"][0]["flooding_deviation"]
    assert np.sqrt(np.mean(errors**2)) == pytest.approx(expected, rel=5 / (2 * errors.size) ** 0.5)
    np.testing.assert_array_equal(client.decrypt(output[1]), plain)
    assert client.shared_count == LIMIT


def test_more_noise_on_demand(program, keys, output):
    client = sl.Client.load(program.manifest, keys / "secret.key")
    plain = client.decrypt(output[1])
    errors = client.decrypt(output[1], share=True, least_deviation=0.5) - plain
    assert np.std(errors) == pytest.approx(0.5, rel=0.5)
    with pytest.raises(sl.SluiceError, match="least_deviation is for share=True"):
        client.decrypt(output[1], least_deviation=0.5)


def test_table_shows_the_certificate(program):
    text = str(program)
    (one,) = certificate_of(program)["outputs"]
    assert f"4 decryptions under one secret key, 30 statistical bits\n{'':11}result: flooded by a deviation of" in text
    assert f"{one['precision_bits']:.1f} bits of precision left" in text
    for line in ("public_key: log QP", "relinearize: log QP", "galois: log QP", "noise      result: deviation"):
        assert line in text


def test_a_program_that_shares_nothing_says_so():
    plain = sl.compile(score, sl.Secret(4, range=(-3, 3)), precision=8)
    assert "sharing    no decryption may be shared (compile with --decryptions)" in str(plain)
    assert certificate_of(plain)["decryptions"] == 0
    client = sl.Client(plain.manifest)
    result = sl.Server(plain, client.evaluation_keys)(client.encrypt(inputs()[0]))
    with pytest.raises(sl.SluiceError, match="was compiled to share no decryption: compile it with --decryptions"):
        client.decrypt(result, share=True)


def test_precision_that_is_out_of_reach():
    with pytest.raises(sl.SluiceError, match=r"after the flooding of 1000 shared decryptions at 30 statistical bits, "):
        sl.compile(score, sl.Secret(4, range=(-3, 3)), precision=40, decryptions=1000)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"decryptions": -1}, "decryptions"),
        ({"decryptions": 1.5}, "decryptions"),
        ({"decryptions": 1, "statistical_bits": 29}, "statistical_bits must be between 30 and 128, not 29"),
        ({"decryptions": 1, "statistical_bits": "x"}, "statistical_bits must be between 30 and 128, not 'x'"),
    ],
)
def test_options_are_checked(options, message):
    with pytest.raises(sl.SluiceError, match=message):
        sl.compile(score, sl.Secret(4, range=(-3, 3)), **options)


# --- The count -------------------------------------------------------------------------------------------------------
ALL_MADE = f"{LIMIT} shared decryptions are allowed under this key, and all were made: make new keys"


def test_in_memory_and_then_in_a_file(program, tmp_path):
    client = sl.Client(program.manifest)
    result = sl.Server(program, client.evaluation_keys)(client.encrypt(inputs()))
    client.decrypt(result, result, share=True)  # each counts
    client.save(tmp_path)
    assert stat.S_IMODE((tmp_path / "secret.key.count").stat().st_mode) == 0o600
    other = sl.Client.load(program.manifest, tmp_path / "secret.key")
    other.decrypt(result, share=True)
    client.decrypt(result, share=True)
    for one in (client, other):
        with pytest.raises(sl.SluiceError, match=ALL_MADE):
            one.decrypt(result, share=True)
        assert one.decrypt(result).shape == (64,)


def test_a_count_is_never_made_again(program, keys, output):
    client = sl.Client.load(program.manifest, keys / "secret.key")
    path = keys / "secret.key.count"
    whole = path.read_bytes()
    path.unlink()
    with pytest.raises(sl.SluiceError, match="the count of shared decryptions that belongs to this key is missing"):
        client.decrypt(output[1], share=True)
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    path.chmod(0o600)
    with pytest.raises(sl.SluiceError, match="checksum"):
        client.decrypt(output[1], share=True)
    assert client.decrypt(output[1]).shape == (64,)
    path.write_bytes(whole)
    client.decrypt(output[1], share=True)
    assert client.shared_count == 1


def test_the_count_of_another_key_is_refused(program, keys, output, tmp_path):
    sl.Client(program.manifest).save(tmp_path / "other")
    (keys / "secret.key.count").write_bytes((tmp_path / "other/secret.key.count").read_bytes())
    with pytest.raises(sl.SluiceError, match="this counts 4 shared decryptions of key"):
        sl.Client.load(program.manifest, keys / "secret.key").decrypt(output[1], share=True)


def test_a_manifest_that_promises_less_is_refused(program, keys, output):
    """What a server may send: the same program, a bound of a hundredth."""
    manifest = json.loads(program.manifest)
    (one,) = manifest["certificate"]["outputs"]
    for field in ("deviation", "error_norm", "flooding_deviation"):
        one[field] /= 100
    one["precision_bits"] += np.log2(100)
    client = sl.Client.load(json.dumps(manifest).encode(), keys / "secret.key")
    with pytest.raises(sl.SluiceError, match="was made for another manifest of this program"):
        client.decrypt(output[1], share=True)
    one["flooding_deviation"] /= 2
    with pytest.raises(sl.SluiceError, match=r"flooding_deviation: .* is stated, but the other numbers give"):
        sl.Client(json.dumps(manifest).encode())


def files(program, keys, output) -> None:
    """program.json and y.ct beside the keys."""
    (keys / "program.json").write_bytes(program.manifest)
    (keys / "y.ct").write_bytes(output[1].to_bytes())


def command(keys: Path, name: str, *more: str) -> list[str]:
    start = [sys.executable, "-m", "sluice"] if name == "sluice" else [str(BUILD / "bin" / "sluice-client")]
    return [*start, "decrypt", "program.json", "--key", "secret.key", "y.ct", "-o", "y.npy", *more]


@pytest.mark.parametrize("name", ["sluice", "sluice-client"])
def test_commands_count(program, keys, output, name):
    files(program, keys, output)

    def run(*more: str, expect: int = 0) -> subprocess.CompletedProcess[str]:
        words = command(keys, name, *more)
        done = subprocess.run(words, cwd=keys, env=ENVIRONMENT, capture_output=True, text=True, check=False)
        assert done.returncode == expect, done.stderr
        return done

    run()
    plain = np.load(keys / "y.npy")
    assert json.loads(run("--share", "--json").stdout)["shared_count"] == 1
    expected = certificate_of(program)["outputs"][0]["flooding_deviation"]
    assert np.std(np.load(keys / "y.npy") - plain) == pytest.approx(expected, rel=0.5)
    assert json.loads(run("--share", "--least-deviation", "1", "--json").stdout)["shared_count"] == 2
    assert np.std(np.load(keys / "y.npy") - plain) == pytest.approx(1, rel=0.5)
    run("--share")
    assert "4" in run("--share").stdout
    (keys / "y.npy").unlink()
    done = run("--share", expect=1)
    assert ALL_MADE in done.stderr and done.stdout == ""
    assert not (keys / "y.npy").exists()
    run()
    np.testing.assert_array_equal(np.load(keys / "y.npy"), plain)
    run("--least-deviation", "1", expect=2)


def test_processes_at_once_never_share_more_than_is_allowed(program, keys, output):
    files(program, keys, output)
    running = [
        subprocess.Popen(
            [*command(keys, name, "--share", "--json")[:-3], f"{k}.npy", "--share", "--json"],
            cwd=keys,
            env=ENVIRONMENT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for k, name in enumerate(["sluice", "sluice-client", "sluice-client"] * 2)
    ]
    done = [(process.communicate(), process.returncode) for process in running]
    counts = sorted(json.loads(out)["shared_count"] for (out, _), code in done if code == 0)
    assert counts == [1, 2, 3, 4]
    for (_, err), code in done:
        assert code in (0, 1) and (code == 0 or ALL_MADE in err)
    assert len(list(keys.glob("?.npy"))) == LIMIT


def test_inspect_shows_the_certificate(program, keys):
    (keys / "program.json").write_bytes(program.manifest)
    for start in ([sys.executable, "-m", "sluice"], [str(BUILD / "bin" / "sluice-client")]):
        words = [*start, "inspect", "program.json"]
        text = subprocess.run(words, cwd=keys, env=ENVIRONMENT, capture_output=True, text=True, check=True).stdout
        assert "public_key: log QP" in text
        assert "4 decryptions under one secret key, 30 statistical bits" in text
        assert "result: flooded by a deviation of" in text
        done = subprocess.run([*words, "--json"], cwd=keys, env=ENVIRONMENT, capture_output=True, text=True, check=True)
        shown = json.loads(done.stdout)
        assert shown.get("manifest", shown)["certificate"] == certificate_of(program)
