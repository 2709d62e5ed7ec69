"""The command line of sluice-client: exit statuses, files, JSON, messages."""

import json
import math
import os
import pty
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ckks

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("SLUICE_BUILD", ROOT / "build" / "dev"))
SAMPLE = ROOT / "test" / "compat" / "v1" / "sample.sluice"  # inputs x (batched) and y, insecure


def client(*words, expect=0):
    command = [str(BUILD / "bin" / "sluice-client"), *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == expect, done.stderr
    return done


@pytest.fixture
def keys(tmp_path):
    client("keygen", SAMPLE, "-o", tmp_path / "keys", "--allow-insecure")
    return tmp_path / "keys"


def encrypt(keys, values, output, *more, key="secret.key", expect=0):
    words = ("encrypt", SAMPLE, "--key", keys / key, values, "-o", output, "--allow-insecure")
    return client(*words, *more, expect=expect)


def decrypt(keys, ciphertext, output, *more, expect=0):
    words = ("decrypt", SAMPLE, "--key", keys / "secret.key", ciphertext, "-o", output)
    return client(*words, "--allow-insecure", *more, expect=expect)


def test_usage_is_status_2():
    done = client("keygen", SAMPLE, expect=2)
    assert done.stdout == ""
    assert done.stderr.startswith("sluice-client: -o is missing\nusage: sluice-client inspect")
    assert client("--help").stdout.startswith("usage: ")
    assert client("--version").stdout.startswith("sluice-client ")


def test_errors_are_status_1_on_stderr(tmp_path):
    done = client("inspect", tmp_path / "absent.sluice", expect=1)
    assert done.stdout == ""
    absent = f"{tmp_path}/absent.sluice: cannot open: No such file or directory\n"
    assert done.stderr == f"sluice-client: error: {absent}"


def test_inspect():
    text = client("inspect", SAMPLE).stdout
    assert "NONE: insecure parameters for tests" in text
    document = json.loads(client("inspect", SAMPLE, "--json").stdout)
    assert document["manifest"]["format"] == "sluice-manifest"
    assert len(document["manifest_hash"]) == 64


def test_a_manifest_alone_is_enough(tmp_path):
    manifest = json.loads(client("inspect", SAMPLE, "--json").stdout)["manifest"]
    (tmp_path / "m.json").write_text(json.dumps(manifest))
    words = ("keygen", tmp_path / "m.json", "-o", tmp_path / "keys", "--allow-insecure", "--json")
    document = json.loads(client(*words).stdout)
    assert document["evaluation_key_count"] == len(manifest["evaluation_keys"])


def test_insecure_parameters_must_be_allowed(tmp_path):
    done = client("keygen", SAMPLE, "-o", tmp_path / "keys", expect=1)
    assert "its parameters are marked insecure" in done.stderr
    assert not (tmp_path / "keys").exists()


def test_everything_follows_from_an_insecure_seed(tmp_path):
    for folder, seed in (("a", 7), ("b", 7), ("c", 8)):
        client("keygen", SAMPLE, "--allow-insecure", "--insecure-seed", seed, "-o", tmp_path / folder)
    content = {folder: (tmp_path / folder / "eval.keys").read_bytes() for folder in "abc"}
    assert content["a"] == content["b"] != content["c"]
    refused = client("keygen", SAMPLE, "--allow-insecure", "--insecure-seed", "seven", "-o", tmp_path / "d", expect=2)
    assert "--insecure-seed needs a number from 0 to 2^64 - 1, not 'seven'" in refused.stderr


def test_keygen_writes_private_files(keys):
    assert sorted(path.name for path in keys.iterdir()) == ["eval.keys", "public.key", "secret.key"]
    assert stat.S_IMODE((keys / "secret.key").stat().st_mode) == 0o600
    assert stat.S_IMODE(keys.stat().st_mode) == 0o700


def test_keygen_keeps_a_secret_key(keys):
    before = (keys / "secret.key").read_bytes()
    words = ("keygen", SAMPLE, "-o", keys, "--allow-insecure")
    done = client(*words, expect=1)
    assert "there is a secret key already" in done.stderr
    assert (keys / "secret.key").read_bytes() == before
    client(*words, "--force")
    assert (keys / "secret.key").read_bytes() != before


def stderr_on_a_terminal(*words):
    ours, theirs = pty.openpty()
    with open(ours, "rb", buffering=0) as terminal:
        command = [str(BUILD / "bin" / "sluice-client"), *map(str, words)]
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=theirs, check=True)
        os.write(theirs, b"end")  # or reading nothing would wait
        os.close(theirs)
        return terminal.read(1 << 16).decode().removesuffix("end")


def test_keygen_shows_progress_on_a_terminal(tmp_path):
    words = ("keygen", SAMPLE, "-o", tmp_path / "keys", "--force", "--allow-insecure")
    bars = [f"evaluation keys [{'#' * 20}{' ' * 20}] 1/2", f"evaluation keys [{'#' * 40}] 2/2"]
    assert stderr_on_a_terminal(*words) == "".join("\r" + bar for bar in bars) + "\r\n"


def test_keygen_shows_no_progress_elsewhere(tmp_path):
    words = ("keygen", SAMPLE, "-o", tmp_path / "keys", "--force", "--allow-insecure")
    assert stderr_on_a_terminal(*words, "--json") == ""
    assert client(*words).stderr == ""


@pytest.mark.parametrize("key", ["secret.key", "public.key"])
@pytest.mark.parametrize("suffix", ["npy", "csv"])
def test_round_trip(keys, tmp_path, key, suffix):
    x = np.linspace(-1, 1, 12).reshape(3, 4)
    values, output = tmp_path / f"x.{suffix}", tmp_path / f"back.{suffix}"
    if suffix == "npy":
        np.save(values, x)
    else:
        np.savetxt(values, x, delimiter=",", header="a,b,c,d", comments="")
    done = encrypt(keys, values, tmp_path / "x.ct", "--input", "x", "--json", key=key)
    assert json.loads(done.stdout)["items"] == 3
    done = decrypt(keys, tmp_path / "x.ct", output, "--json")
    assert json.loads(done.stdout)["shape"] == [3, 4]
    back = np.load(output) if suffix == "npy" else np.loadtxt(output, delimiter=",")
    assert np.abs(back - x).max() < 1e-6


def test_encryption_refusals(keys, tmp_path):
    def message(x, *more):
        np.save(tmp_path / "x.npy", x)
        words = more or ("--input", "x")
        return encrypt(keys, tmp_path / "x.npy", tmp_path / "x.ct", *words, expect=1).stderr

    start = f"sluice-client: error: {tmp_path}/x.npy: input 'x'"
    bad = np.zeros((2, 4))
    bad[1, 2] = np.nan
    assert message(bad) == (
        f"{start}, item 1, element [2]: the value is not a number (NaN); finite numbers are needed\n"
    )
    bad[1, 2] = 1.5
    assert message(bad) == (
        f"{start}, item 1, element [2]: the value is outside of the declared range [-1, 1]; "
        "bring the data into it, or compile with a wider range\n"
    )
    assert message(np.zeros(5)) == (
        f"{start}: shape (5,), but it must be (4,) for one item, or (B, 4) for a batch of B <= 8\n"
    )
    assert message(np.zeros((9, 4))) == (
        f"{start}: 9 items, but one ciphertext holds at most 8; encrypt them in several\n"
    )
    assert "name one" in message(np.zeros(4), "--json")
    assert "there is no input 'z'" in message(np.zeros(4), "--input", "z")
    assert "the values are complex, but the program takes real ones" in message(np.zeros(4, dtype=np.complex128))
    assert not (tmp_path / "x.ct").exists()


def test_decryption_refusals(keys, tmp_path):
    np.save(tmp_path / "x.npy", np.zeros(4))
    encrypt(keys, tmp_path / "x.npy", tmp_path / "x.ct", "--input", "x")
    other = tmp_path / "other"
    client("keygen", SAMPLE, "-o", other, "--allow-insecure")
    done = decrypt(other, tmp_path / "x.ct", tmp_path / "y.npy", expect=1)
    assert "the ciphertext belongs to secret key" in done.stderr
    done = decrypt(keys, keys / "public.key", tmp_path / "y.npy", expect=1)
    assert "this is a public key, but a ciphertext is needed here" in done.stderr
    whole = (tmp_path / "x.ct").read_bytes()
    (tmp_path / "short.ct").write_bytes(whole[:-100])
    done = decrypt(keys, tmp_path / "short.ct", tmp_path / "y.npy", expect=1)
    assert "truncated" in done.stderr
    done = decrypt(keys, tmp_path / "x.ct", tmp_path / "y.txt", expect=1)
    assert "values are read and written as .npy or .csv" in done.stderr
    (keys / "secret.key").chmod(0o644)
    done = decrypt(keys, tmp_path / "x.ct", tmp_path / "y.npy", expect=1)
    assert "others can access this secret key (mode 0644)" in done.stderr
    assert not (tmp_path / "y.npy").exists()


def test_the_public_key_cannot_decrypt(keys, tmp_path):
    np.save(tmp_path / "x.npy", np.zeros(4))
    encrypt(keys, tmp_path / "x.npy", tmp_path / "x.ct", "--input", "x")
    words = ("decrypt", SAMPLE, "--key", keys / "public.key", tmp_path / "x.ct")
    done = client(*words, "-o", tmp_path / "y.npy", "--allow-insecure", expect=1)
    rest = "encryption needs public.key or secret.key, decryption needs secret.key\n"
    assert done.stderr == f"sluice-client: error: {keys}/public.key: this is a public key; {rest}"
    done = encrypt(keys, tmp_path / "x.npy", tmp_path / "z.ct", "--input", "x", key="eval.keys", expect=1)
    assert done.stderr == f"sluice-client: error: {keys}/eval.keys: this is a file of evaluation keys; {rest}"


# --- Large parameters ---------------------------------------------------------------------------

GIB = 2**30
LOG_N, LEVELS, SPECIAL = 16, 24, 6
GALOIS_KEYS = 20  # for the top level; another one serves the lowest


def evaluation_key(special, level, **kind):
    digits = [level[first : first + SPECIAL] for first in range(0, len(level), SPECIAL)]
    return kind | {"limbs": special + level, "digits": digits}


def large_manifest():
    """A secure program at N = 2^16: 24 limbs of 50 bits in digits of 6, and 6 more in P."""
    manifest = json.loads(client("inspect", SAMPLE, "--json").stdout)["manifest"]
    primes = ckks.ntt_primes(LOG_N, 50, SPECIAL + LEVELS)
    special, top = list(range(SPECIAL)), list(range(SPECIAL, SPECIAL + LEVELS))
    levels = [top[: count + 1] for count in range(LEVELS)]
    elements = [pow(5, k, 2 << LOG_N) for k in range(1, GALOIS_KEYS + 1)]
    keys = [evaluation_key(special, top, kind="relinearize")]
    keys.append(evaluation_key(special, levels[0], kind="galois", element=elements[0]))
    keys += [evaluation_key(special, top, kind="galois", element=element) for element in elements[::2]]
    keys += [evaluation_key(special, top, kind="galois", element=element, permuted=True) for element in elements[1::2]]
    slots = 1 << (LOG_N - 1)
    place = {"shape": [slots], "lanes": slots, "batch": 1, "batched": False}
    x = manifest["inputs"][0] | place | {"level": LEVELS - 1}
    return manifest | {
        "ring": {"log_n": LOG_N, "limbs": primes, "special": special},
        "levels": levels,
        "security": {
            "bits": 128,
            "insecure": False,
            "log_qp": math.fsum(map(math.log2, primes)),
            "limit": 1747,
            "row": f"uniform ternary, N = 2^{LOG_N}",
        },
        "slots": slots,
        "inputs": [x],
        "outputs": [{name: x[name] for name in x if name != "range"} | {"name": "result"}],
        "evaluation_keys": keys,
    }


def peak_memory(*words):
    """Bytes. A process inherits the peak of whoever starts it: here a small one."""
    script = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL); "
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    command = [sys.executable, "-c", script, str(BUILD / "bin" / "sluice-client"), *map(str, words)]
    return 1024 * int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """The folder of program.json and keys/, the manifest, and the peak memory of keygen."""
    folder = tmp_path_factory.mktemp("large")
    manifest = large_manifest()
    (folder / "program.json").write_text(json.dumps(manifest))
    peak = peak_memory("keygen", folder / "program.json", "-o", folder / "keys")
    yield folder, manifest, peak
    shutil.rmtree(folder)


@pytest.mark.slow
def test_keygen_needs_little_more_memory_than_one_key(large):
    """And its file holds half of each key, at its level: the other half is a seed."""
    folder, manifest, peak = large
    row = 8 << LOG_N
    halves = [row * len(key["digits"]) * len(key["limbs"]) for key in manifest["evaluation_keys"]]
    size = (folder / "keys" / "eval.keys").stat().st_size
    assert sum(halves) < size < sum(halves) + 1e6
    allowed = 2 * max(halves) + GIB
    assert allowed < size, "too few keys to see whether one is in memory at a time"
    assert peak < allowed


@pytest.mark.slow
@pytest.mark.parametrize("key", ["secret.key", "public.key"])
def test_encryption_and_decryption_need_little_memory(large, key):
    folder, _, _ = large
    program, values, ciphertext = (folder / name for name in ("program.json", "x.npy", f"{key}.ct"))
    x = np.random.default_rng(1).uniform(-1, 1, 1 << (LOG_N - 1))
    np.save(values, x)
    assert peak_memory("encrypt", program, "--key", folder / "keys" / key, values, "-o", ciphertext) < GIB
    words = ("decrypt", program, "--key", folder / "keys" / "secret.key", ciphertext)
    assert peak_memory(*words, "-o", folder / "back.npy") < GIB
    # Rounding under the public key: a deviation of sqrt(N / 2 * 2 N / 36) / 2^45 = 2^-31.6, with the tail of Laplace's.
    assert np.abs(np.load(folder / "back.npy") - x).max() < 2.0**-27
