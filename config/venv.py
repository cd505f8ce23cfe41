"""Installs what the lock file names into `.venv`. Needs Python alone; two at once wait for each other."""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
LOCK = ROOT / "requirements-dev.lock"
STAMP = VENV / "installed"
LEAST = (3, 11)


def state() -> str:
    return hashlib.sha256(LOCK.read_bytes()).hexdigest()


def works() -> bool:
    """Whether the environment has a Python that starts and is new enough."""
    check = f"import sys; sys.exit(sys.version_info < {LEAST})"
    try:
        return subprocess.run([VENV / "bin" / "python", "-c", check], check=False).returncode == 0  # noqa: S603
    except OSError:
        return False


def up_to_date() -> bool:
    return STAMP.exists() and STAMP.read_text() == state() and works()


def make() -> None:
    if sys.version_info < LEAST:
        found = [
            name for name in ("python3.14", "python3.13", "python3.12", "python3.11") if shutil.which(name)
        ]
        hint = found[0] if found else "/path/to/python3.11"
        sys.exit(
            "Boneyard needs Python 3.11 or newer, and {} is {}.{}. "
            "Name another, as in `make run PYTHON={}`.".format(sys.executable, *sys.version_info[:2], hint)
        )
    try:
        import ensurepip  # noqa: F401
        import venv
    except ImportError:
        sys.exit(
            "This Python comes without venv: install it (on Debian and Ubuntu, the package python3-venv)."
        )
    sys.stderr.write("Installing what Boneyard needs into .venv; the first time takes a minute.\n")
    venv.EnvBuilder(with_pip=True, clear=VENV.exists() and not works(), symlinks=True).create(VENV)
    pip = [str(VENV / "bin" / "python"), "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
    if subprocess.run([*pip, "--require-hashes", "-r", str(LOCK)], cwd=ROOT, check=False).returncode:  # noqa: S603
        sys.exit("The packages of requirements-dev.lock could not be installed; pip says above why.")
    STAMP.write_text(state())


def main() -> None:
    if up_to_date():
        return
    # The folder itself is what is locked, so that no file is left behind.
    folder = os.open(ROOT, os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)
    if not up_to_date():
        make()


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
    except (OSError, subprocess.SubprocessError) as error:
        sys.exit("Can't make %s: %s." % (VENV, getattr(error, "strerror", None) or error))  # noqa: UP031
