"""Reports by users of other PyTorch backends, as small cases with the CPU's right value."""
import os

import pytest

import child
from conftest import DEVICE

os.environ["D"] = DEVICE
import bug_cases  # noqa: E402 - reads its device when imported

EXCLUDED = {
    82: "needs the process group tpu_dist",
    83: "needs the process group tpu_dist",
    85: "needs the process group tpu_dist",
    86: "needs the process group tpu_dist",
}


@pytest.mark.parametrize("number", [n for n in bug_cases.CASES if n not in EXCLUDED and n != 88])
def test_case(number):
    getattr(bug_cases, f"t{number}")()


def test_case_88_counts_programs_in_a_fresh_process():
    child.run("import bug_cases; bug_cases.t88()", env={"D": DEVICE}, timeout=120)


def test_excluded_cases_are_the_distributed_ones():
    assert set(EXCLUDED) == {n for n in bug_cases.CASES if hasattr(bug_cases, f"w{n}")}
