"""Score the breast-cancer test set under encryption: 114 patients in one ciphertext.

A hospital (the client) has measurements; a laboratory (the server) has a model. Every step is a process of its own that
sees only the files of its side: demo-out/client holds the secret key, demo-out/server never does.

    python examples/breast_cancer.py [--encryptions 16] [--repeat 5]
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from breast_cancer_result import rows
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

import sluice as sl

EXAMPLES = Path(__file__).resolve().parent
OUTPUT = Path(os.environ.setdefault("SLUICE_DEMO", str(EXAMPLES.parent / "demo-out")))
CLIENT, SERVER = OUTPUT / "client", OUTPUT / "server"
PRECISION = 16
MARGIN = 0.07  # share of its width by which the measured range of the logits is widened on either side


def train() -> tuple[np.ndarray, np.ndarray]:
    """Trains in the clear, leaves model.json with the server, gives the test rows and their labels."""
    features, labels = load_breast_cancer(return_X_y=True)
    x_train, x_test, y_train, y_test = train_test_split(
        features, labels, test_size=0.2, random_state=0, stratify=labels
    )
    scaler = StandardScaler().fit(x_train)
    x_train, x_test = scaler.transform(x_train), scaler.transform(x_test)
    # A stronger penalty than scikit-learn's default keeps the logits, and with them the sigmoid's degree, small.
    model = LogisticRegression(C=0.04, max_iter=1000).fit(x_train, y_train)
    model_json = {
        "weights": model.coef_[0].tolist(),
        "intercept": float(model.intercept_[0]),
        "feature_range": [-16.0, 16.0],
        "logit_range": widened(model.decision_function(x_train)),
    }
    (SERVER / "model.json").write_text(json.dumps(model_json, indent=2))
    return x_test, y_test


def widened(values: np.ndarray) -> list[float]:
    """The range of the values with a margin, rounded outwards to one decimal."""
    low, high = float(values.min()), float(values.max())
    margin = MARGIN * (high - low)
    return [float(np.floor(10 * (low - margin)) / 10), float(np.ceil(10 * (high + margin)) / 10)]


def sluice(folder: Path, *arguments: str) -> dict:
    """Runs `sluice` in a fresh process inside one side's folder; gives its JSON and how long the process lived."""
    command = [sys.executable, "-m", "sluice", *arguments, "--json"]
    environment = {**os.environ, "PYTHONPATH": str(Path(sl.__file__).absolute().parents[1])}
    started = time.perf_counter()
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"sluice {' '.join(arguments)}\n{done.stderr}")
    return {**json.loads(done.stdout), "process_ms": 1000 * (time.perf_counter() - started)}


def hand_over(name: str, origin: Path, destination: Path) -> None:
    """What travels between the two sides; never secret.key."""
    assert name != "secret.key"
    shutil.copy(origin / name, destination / Path(name).name)


def score_encrypted(x_test: np.ndarray, repeat: int) -> tuple[np.ndarray, dict]:
    """Every step of DESIGN's command line, once; gives the decrypted scores and what the steps said."""
    said = {}
    model = str(EXAMPLES / "breast_cancer_model.py:score")
    options = ["--precision", str(PRECISION), "--batch", str(len(x_test)), "--manifest", "score.json"]
    said["compile"] = sluice(SERVER, "compile", model, "-o", "score.sluice", *options)
    hand_over("score.json", SERVER, CLIENT)
    said["keygen"] = sluice(CLIENT, "keygen", "score.json", "-o", "keys")
    hand_over("keys/eval.keys", CLIENT, SERVER)
    np.save(CLIENT / "x.npy", x_test)
    said["encrypt"] = sluice(CLIENT, "encrypt", "score.json", "--key", "keys/public.key", "x.npy", "-o", "x.ct")
    hand_over("x.ct", CLIENT, SERVER)
    run = ["run", "score.sluice", "--keys", "eval.keys", "x.ct", "-o", "y.ct", "--repeat", str(repeat)]
    said["run"] = sluice(SERVER, *run)
    hand_over("y.ct", SERVER, CLIENT)
    said["decrypt"] = sluice(CLIENT, "decrypt", "score.json", "--key", "keys/secret.key", "y.ct", "-o", "y.npy")
    return np.load(CLIENT / "y.npy"), said


def twin_program() -> sl.Program:
    """The same program compiled here, for its twin."""
    import breast_cancer_model

    return sl.compile(breast_cancer_model.score, precision=PRECISION, batch=114)


def errors_against_twin(x_test: np.ndarray, twin: np.ndarray, encryptions: int) -> np.ndarray:
    """Errors of fresh encryptions, one row an encryption, in this process.

    With the files of the walk, so with public.key, whose errors are larger than those of the secret key.
    """
    manifest = (CLIENT / "score.json").read_bytes()
    sender = sl.Client.load(manifest, CLIENT / "keys" / "public.key")
    owner = sl.Client.load(manifest, CLIENT / "keys" / "secret.key")
    server = sl.Server(sl.load(SERVER / "score.sluice"), SERVER / "eval.keys")
    return np.stack([owner.decrypt(server(sender.encrypt(x_test))) - twin for _ in range(encryptions)])


def bits(error: float) -> float:
    return float(-np.log2(error)) if error > 0 else float("inf")


def summarise(scores: dict[str, np.ndarray], labels: np.ndarray, errors: np.ndarray, said: dict) -> dict:
    """All that the table shows, as plain data."""
    clear, twin, encrypted = scores["clear"], scores["twin"], scores["encrypted"]
    manifest = said["compile"]["manifest"]
    run = said["run"]["run_ms"]
    return {
        "rows": len(labels),
        "accuracy": {name: float(np.mean((values > 0.5) == labels)) for name, values in scores.items()},
        "identical_predictions": bool(np.array_equal(encrypted > 0.5, twin > 0.5)),
        "approximation_error": float(np.max(np.abs(twin - clear))),
        "encryptions": len(errors),
        "encryption_key": "public.key",
        "bits": bits(float(np.std(errors))),
        "worst_slot_bits": bits(float(np.max(np.abs(errors)))),
        "backend": said["run"]["backend"],
        "ms_per_row_cold": (said["run"]["load_ms"] + said["run"]["read_ms"] + run[0]) / len(labels),
        "ms_per_row_warm": float(np.median(run[1:] or run)) / len(labels),
        "log_n": manifest["ring"]["log_n"],
        "security": manifest["security"],
        "key_bytes": said["keygen"]["bytes"],
        "artifact_bytes": said["compile"]["bytes"],
        "compile_ms": said["compile"]["compile_ms"],
        "compile_process_ms": said["compile"]["process_ms"],
        "keygen_ms": said["keygen"]["keygen_ms"],
        "encrypt_ms": said["encrypt"]["encrypt_ms"],
        "decrypt_ms": said["decrypt"]["decrypt_ms"],
        "server_peak_memory_bytes": said["run"]["peak_memory_bytes"],
        "client_peak_memory_bytes": max(said[step]["peak_memory_bytes"] for step in ("keygen", "encrypt", "decrypt")),
        "forecast": manifest["forecast"],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--encryptions", type=int, default=16, help="fresh encryptions for the error's statistics")
    parser.add_argument("--repeat", type=int, default=5, help="runs of the server on the same ciphertext, for timing")
    arguments = parser.parse_args()

    shutil.rmtree(OUTPUT, ignore_errors=True)
    CLIENT.mkdir(parents=True)
    SERVER.mkdir()
    x_test, labels = train()
    encrypted, said = score_encrypted(x_test, arguments.repeat)
    assert not list(SERVER.rglob("secret.key")), "the secret key must stay with the client"

    program = twin_program()
    import breast_cancer_model

    scores = {
        "clear": np.array([breast_cancer_model.score(row) for row in x_test]),
        "twin": program.simulate(x_test),
        "encrypted": encrypted,
    }
    errors = errors_against_twin(x_test, scores["twin"], arguments.encryptions)
    errors = np.concatenate([errors, (encrypted - scores["twin"])[np.newaxis]])
    result = summarise(scores, labels, errors, said)
    for step, data in said.items():
        (OUTPUT / f"{step}.json").write_text(json.dumps(data, indent=2))
    (OUTPUT / "result.json").write_text(json.dumps(result, indent=2))
    print("\n".join(f"{label:<32} {value}" for label, value in rows(result)))
    if not result["identical_predictions"] or result["worst_slot_bits"] < 15:
        sys.exit("the encrypted scores are not those of the twin")


if __name__ == "__main__":
    main()
