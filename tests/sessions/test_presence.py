"""Who is here, as one process knows it; what several know together is in tests/live/test_presence.py."""

import time
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from sessions import presence
from sessions.models import Player


def test_who_comes_while_valkey_is_asked_is_here(monkeypatch: pytest.MonkeyPatch) -> None:
    player = Player(id=uuid4())

    def ask(question: Any, otherwise: Any) -> list[str]:
        presence.mark([player.pk])
        return [str(time.time() - 3 * presence.GRACE_SECONDS)]

    monkeypatch.setattr(presence, "valkey", SimpleNamespace(ask=ask))
    monkeypatch.setattr(presence, "post", SimpleNamespace(send=lambda *_: None))
    assert presence.present({player.pk: player}, timezone.now()) == {player.pk}
