"""Members of staff at the admin's pages, each in a browser and at an address of its own."""

import re
from typing import Any

from django.contrib.auth.models import Group, Permission, User
from django.test import Client
from django.urls import reverse

from tests.people import fresh_address

PASSWORD = "a long enough password"


class Staff:
    """Somebody who has logged in, or tries to."""

    def __init__(self, name: str, address: str | None = None) -> None:
        self.user = User.objects.get(username=name)
        self.address = address or fresh_address()
        self.client = Client(REMOTE_ADDR=self.address)

    def log_in(self, password: str = PASSWORD, code: str = "") -> Any:
        """Through the page, which takes its time: most tests let somebody in without."""
        form = {"username": self.user.username, "password": password, "code": code}
        return self.client.post("/admin/login/?next=/admin/", form)

    def get(self, path: str, **query: Any) -> Any:
        return self.client.get(path, query)

    def page(self, path: str, **query: Any) -> str:
        """The text of a page that there must be."""
        answer = self.get(path, **query)
        assert answer.status_code == 200, (path, answer.status_code)
        return str(answer.content.decode())

    def see(self, table: str, **query: Any) -> str:
        return self.page(table_page(table), **query)

    def act(self, table: str, act: str, reason: str = "Insults", **more: Any) -> Any:
        path = reverse("admin:games_table_act", args=[table])
        return self.client.post(path, {"act": act, "reason": reason, **more}, follow=True)

    def look(self, table: str, reason: str = "Insults") -> Any:
        return self.client.post(
            reverse("admin:games_table_look", args=[table]), {"reason": reason}, follow=True
        )


def table_page(table: str) -> str:
    return reverse("admin:games_table_change", args=[table])


def hire(
    name: str,
    *permissions: str,
    group: str | None = "moderator",
    boss: bool = False,
    address: str | None = None,
) -> Staff:
    """A new member of staff, logged in."""
    make = User.objects.create_superuser if boss else User.objects.create_user
    user = make(name, is_staff=True)
    if group:
        user.groups.add(Group.objects.get(name=group))
    user.user_permissions.add(*Permission.objects.filter(codename__in=permissions))
    staff = Staff(name, address)
    staff.client.force_login(user)
    return staff


CSRF = re.compile(r'name="csrfmiddlewaretoken" value="\w+"|"X-CSRFToken": ?"\w+"|csrfToken[^;]*;')


def without_tokens(page: bytes) -> str:
    """A page without what is drawn anew for each answer."""
    return CSRF.sub("", page.decode())
