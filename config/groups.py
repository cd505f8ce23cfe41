"""The groups of staff and what they may do, as migrations give it to them."""

from collections.abc import Iterable, Mapping
from typing import Any

MODERATOR, OPERATOR = "moderator", "operator"


def grant(apps: Any, group: str, permissions: Mapping[str, Iterable[str]]) -> None:
    """Let a group do more: the codenames by model, as `{"games.table": ["view_table"]}`.

    Group and permissions are made where they are missing; Django itself makes permissions only when all
    migrations have run, and then leaves those alone that are there.
    """
    holder, _ = apps.get_model("auth", "Group").objects.get_or_create(name=group)
    for label, codenames in permissions.items():
        app_label, model = label.split(".")
        about, _ = apps.get_model("contenttypes", "ContentType").objects.get_or_create(
            app_label=app_label, model=model
        )
        for codename in codenames:
            permission, _ = apps.get_model("auth", "Permission").objects.get_or_create(
                content_type=about,
                codename=codename,
                defaults={"name": f"Can {codename.replace('_', ' ')}"},
            )
            holder.permissions.add(permission)
