"""Replay stored tables and compare: `manage.py check_histories [--sample N] [--since DATE]`."""

from argparse import ArgumentParser, ArgumentTypeError
from datetime import UTC, datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.histories import check_tables, each_id, sample_ids, started_tables


def moment(text: str) -> datetime:
    """A date, or a time, in UTC unless it says otherwise."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError("a date is needed, as 2026-12-31") from None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


class Command(BaseCommand):
    help = "Replays stored tables, and tells those that are stored otherwise than their histories lead to."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--sample", type=int, help="only so many tables, picked at random")
        parser.add_argument("--since", type=moment, help="only tables opened since then")

    def handle(self, *args: Any, sample: int | None, since: datetime | None, **options: Any) -> None:
        tables = started_tables(since)
        check, differences = check_tables(each_id(tables) if sample is None else sample_ids(tables, sample))
        for difference in differences:
            self.stderr.write(str(difference))
        told = (
            f"{check.tables} tables with {check.moves} moves were replayed, {check.differing} of them differ."
        )
        if differences:
            raise CommandError(told)
        self.stdout.write(told)
