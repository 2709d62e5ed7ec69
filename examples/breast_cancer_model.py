"""The function that examples/breast_cancer.py compiles: logistic regression on one row of 30 standardised features.

The weights were trained in the clear; here they are constants of the program. `sluice compile` imports this file.
"""

import json
import os
from pathlib import Path

import numpy as np

import sluice as sl

_FOLDER = Path(os.environ.get("SLUICE_DEMO", Path(__file__).resolve().parents[1] / "demo-out"))
_MODEL = json.loads((_FOLDER / "server" / "model.json").read_text())
W, B = np.array(_MODEL["weights"]), _MODEL["intercept"]


@sl.program(sl.Secret(30, range=tuple(_MODEL["feature_range"])))
def score(x):
    return sl.sigmoid(W @ x + B, range=tuple(_MODEL["logit_range"]))
