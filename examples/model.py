"""A function for the command line: sluice compile examples/model.py:score -o score.sluice"""

import numpy as np

import sluice as sl

WEIGHTS = np.array([0.8, -0.4, 0.3, -0.1])


@sl.program(sl.Secret(4, range=(-3, 3)))
def score(x):
    return sl.sigmoid(WEIGHTS @ x - 0.25)
