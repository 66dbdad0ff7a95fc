"""A smoke selection on another PJRT plugin, chosen by path."""
import os

import pytest

import child
from conftest import is_host

PLUGIN = os.environ.get("TORCH_PJRT_SECOND_PLUGIN")
pytestmark = [
    pytest.mark.skipif(not PLUGIN, reason="TORCH_PJRT_SECOND_PLUGIN names no plugin (`make test` installs one)"),
    pytest.mark.skipif(is_host(), reason="the CPU has no plugins"),
]


def on_second_plugin(code, timeout=120):
    return child.run(code, env={"TORCH_PJRT_PLUGIN": PLUGIN or ""}, timeout=timeout)


def test_the_plugin_in_use_is_the_one_named():
    out = on_second_plugin("""
        import torch, torch_pjrt
        print(float(torch.ones(4, device="tpu").sum()))
        with open("/proc/self/maps") as maps:
            print(sorted({line.split()[-1] for line in maps if line.rstrip().endswith(".so") and "plugin" in line}))
    """)
    assert out.startswith("4.0") and os.path.basename(PLUGIN) in out


@pytest.mark.parametrize("file", ["test_views.py", "test_storage.py", "test_donation.py", "test_autograd.py"])
def test_selection(file):
    out = on_second_plugin(f"""
        import pytest, sys
        sys.exit(pytest.main(["-x", "-p", "no:cacheprovider", "{os.path.join(child.HERE, file)}"]))
    """, timeout=400)
    assert " passed" in out
