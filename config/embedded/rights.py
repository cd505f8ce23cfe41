"""What a child process may do, and that it doesn't outlive the process that started it."""

import ctypes
import os
import pwd
import signal
import stat
import sys
from dataclasses import dataclass
from pathlib import Path

LINUX = sys.platform == "linux"
LIBC = ctypes.CDLL(None, use_errno=True)

# <linux/prctl.h> and <linux/capability.h>
PR_SET_PDEATHSIG = 1
PR_SET_KEEPCAPS = 8
PR_SET_SECUREBITS = 28
SECBIT_NO_SETUID_FIXUP = 1 << 2
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_RAISE = 2
CAPABILITY_VERSION_3 = 0x20080522
CAP_DAC_OVERRIDE = 1


@dataclass(frozen=True)
class Account:
    """The user a child becomes; `passes` when it has to go through folders that are closed to this user."""

    uid: int
    gid: int
    passes: bool = False


def account_for(owned: Path, program: Path) -> Account | None:
    """Who a program runs as that refuses to be root: None is ourselves, unless we are root.

    The owner of `owned` if that exists and isn't root, else `nobody`. Where a folder above `owned` or the
    program is closed to others, it keeps the right to pass, so that no folder has to be opened.
    """
    if os.geteuid() != 0:
        return None
    if owned.exists() and owned.stat().st_uid != 0:
        uid, gid = owned.stat().st_uid, owned.stat().st_gid
    else:
        nobody = pwd.getpwnam("nobody")
        uid, gid = nobody.pw_uid, nobody.pw_gid
    folders = {*owned.parents, *program.parents}
    closed = any(not folder.stat().st_mode & stat.S_IXOTH for folder in folders)
    return Account(uid, gid, passes=closed)


def settle(parent: int, orphaned: signal.Signals, account: Account | None) -> None:
    """Run in a new child before its program: take the account's rights, and end with the parent."""
    if account is not None:
        _become(account)
    if LINUX:
        LIBC.prctl(PR_SET_PDEATHSIG, int(orphaned), 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)


def _become(account: Account) -> None:
    keeps = account.passes and LINUX
    if keeps:
        LIBC.prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0)
        # initdb asks access(2) for its programs, which forgets the capabilities of who is not root otherwise.
        LIBC.prctl(PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP, 0, 0, 0)
    os.setgroups([])
    os.setgid(account.gid)
    os.setuid(account.uid)
    if keeps:
        right = 1 << CAP_DAC_OVERRIDE
        header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
        sets = (ctypes.c_uint32 * 6)(right, right, right, 0, 0, 0)  # effective, permitted, inheritable
        LIBC.capset(header, sets)
        LIBC.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_DAC_OVERRIDE, 0, 0)
