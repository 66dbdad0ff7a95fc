"""Runs Python snippets in processes of their own: what may hang, die or print is tested there."""
import os
import signal
import subprocess
import sys
import textwrap
import time

HERE = os.path.dirname(os.path.abspath(__file__))


def start(code, *, env=None, args=(), file=None):
    """A running child; its own process group, so that a hang leaves nothing behind."""
    path = os.pathsep.join(p for p in (HERE, os.environ.get("PYTHONPATH")) if p)
    environment = dict(os.environ, PYTHONPATH=path, **(env or {}))
    code = textwrap.dedent(code)
    if file is not None:  # children of the child import the main module from a file
        file.write_text(code)
        command = [sys.executable, str(file), *args]
    else:
        command = [sys.executable, "-c", code, *args]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            start_new_session=True)


def finish(process, timeout):
    """(exit status, stdout, stderr); a child that outlives |timeout| is killed and fails the test."""
    began = time.monotonic()
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        raise AssertionError(f"the child must end within {timeout} s\nstdout: {out}\nstderr: {err}") from None
    finish.seconds = time.monotonic() - began
    return process.returncode, out, err


def run(code, *, env=None, timeout=60, status=0, args=(), file=None):
    """stdout of the snippet, which must exit with |status| (None: any) in time."""
    got, out, err = finish(start(code, env=env, args=args, file=file), timeout)
    assert status is None or got == status, f"the child must exit with {status}; it exited with {got}\nstdout: {out}\nstderr: {err}"
    run.stderr = err
    return out
