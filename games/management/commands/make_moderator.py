"""Makes a member of staff, or gives one a new password, which is typed or piped in and never an argument."""

import getpass
import os
import sys
from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import Group, Permission, User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django_otp.plugins.otp_totp.models import TOTPDevice

from config.acts import write_down
from config.groups import MODERATOR, OPERATOR

PASSWORD = "STAFF_PASSWORD"  # noqa: S105  # the name of a variable of the environment


class Command(BaseCommand):
    help = (
        "Make a moderator. The password is asked for at a terminal, else it is the first line of the input,"
        f" or {PASSWORD} of the environment. Of somebody who is there already, the password is"
        " replaced and the second factor turned off."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="the name to log in with")
        parser.add_argument("--operator", action="store_true", help="an operator instead of a moderator")
        parser.add_argument(
            "--may-look", action="store_true", help="may look at what is hidden at running tables"
        )

    @transaction.atomic
    def handle(self, *, name: str, operator: bool, may_look: bool, **_: Any) -> None:
        user = User.objects.select_for_update().filter(username=name).first() or User(username=name)
        known = user.pk is not None
        user.set_password(_checked(_password(), user))
        user.is_staff = user.is_active = True
        user.save()
        user.groups.add(Group.objects.get(name=OPERATOR if operator else MODERATOR))
        if may_look:
            user.user_permissions.add(Permission.objects.get(codename="look_at_hidden"))
        TOTPDevice.objects.filter(user=user).delete()
        role = "an operator" if operator else "a moderator"
        role += ", who may look at what is hidden" if may_look else ""
        what = "Gave a new password, without a second factor, to" if known else "Made"
        write_down(who=user, about=user, what=f"{what} {role}", why="By manage.py make_moderator")
        done = "has a new password" if known else "can log in"
        self.stdout.write(f"{name} {done} at /admin/ as {'an operator' if operator else 'a moderator'}.")


def _password() -> str:
    if given := os.environ.get(PASSWORD):
        return given
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    given = getpass.getpass("Password: ")
    if getpass.getpass("Again: ") != given:
        raise CommandError("The two passwords differ.")
    return given


def _checked(password: str, user: User) -> str:
    try:
        validate_password(password, user)
    except ValidationError as refused:
        raise CommandError(" ".join(refused.messages)) from None
    return password
