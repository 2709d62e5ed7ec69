"""The breast-cancer demo from files: compiled here; keys, encryption, run and decryption where no LLVM is visible."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

sl = pytest.importorskip("sluice", reason="the Python package is not built")
pytest.importorskip("sluice._sluice", reason="the Python package is not built")

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("SLUICE_BUILD", ROOT / "build" / "dev"))
SCRIPT = ROOT / "test" / "tools" / "Inputs" / "no_llvm.py"


@pytest.fixture
def demo(tmp_path, monkeypatch):
    """The modules of the example, working in a folder of their own."""
    (tmp_path / "server").mkdir()
    monkeypatch.setenv("SLUICE_DEMO", str(tmp_path))
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    for module in ("breast_cancer", "breast_cancer_model"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    import breast_cancer

    x_test, _ = breast_cancer.train()
    yield x_test, breast_cancer.twin_program()
    for module in ("breast_cancer", "breast_cancer_model"):
        sys.modules.pop(module, None)


def write_csv(path, rows):
    path.write_text("".join(",".join(repr(float(value)) for value in row) + "\n" for row in rows))
    return path


def test_scores_of_all_test_rows_are_the_twins(tmp_path, demo):
    x_test, program = demo
    assert x_test.shape == (114, 30)
    program.save(tmp_path / "score.sluice")
    values = write_csv(tmp_path / "x.csv", x_test)
    expected = write_csv(tmp_path / "twin.csv", [[score] for score in program.simulate(x_test)])
    command = [sys.executable, str(SCRIPT), "--scratch", str(BUILD / "no-llvm")]
    command += ["--program", str(tmp_path / "score.sluice"), "--input", f"x={values}"]
    command += ["--expect", str(expected), "--tolerance", str(2.0**-15)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "the server's folder never held secret.key\nresult as expected" in done.stdout
