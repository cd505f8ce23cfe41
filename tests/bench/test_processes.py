"""What processes used is seen for those of a tree, the ended ones too."""

import os
import subprocess
import sys

from bench import processes

BUSY = "import sys\nfor n in range(3_000_000): pass\nprint(flush=True); sys.stdin.read()"


def test_a_tree_holds_the_children_and_what_they_used_stays_when_they_end() -> None:
    before = processes.cpu(os.getpid())
    child = subprocess.Popen([sys.executable, "-c", BUSY], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with child:
        assert child.stdout is not None
        child.stdout.readline()
        assert child.pid in processes.tree(os.getpid())
        assert processes.parent_of(child.pid) == os.getpid()
        assert processes.memory(child.pid) > 1_000_000
        used = processes.cpu(child.pid)
        child.communicate()
    assert used > 0
    assert processes.cpu(os.getpid()) >= before + used
    assert child.pid not in processes.tree(os.getpid())
