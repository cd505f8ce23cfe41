"""Is a record true? `manage.py check_record FILE`. It needs no database."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.errors import MalformedJSON
from config.wire import load
from games.rules.verify import verify


class Command(BaseCommand):
    help = "Says whether a record is whole, follows the rules and follows its seeds."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="what GET /api/v1/tables/{id}/record gave")

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        try:
            verdict = verify(load(file.read_bytes()))
        except OSError as error:
            raise CommandError(f"{file} can't be read: {error.strerror}") from None
        except MalformedJSON:
            raise CommandError(f"{file} is no JSON.") from None
        if not verdict.ok:
            where = "" if verdict.line is None else f"line {verdict.line}: "
            raise CommandError(f"{where}{verdict.problem}")
        self.stdout.write("The record is whole, follows the rules, and follows its seeds.")
