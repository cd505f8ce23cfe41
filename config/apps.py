"""The admin as a Django app, with a site of our own."""

from django.contrib.admin.apps import AdminConfig


class StaffConfig(AdminConfig):
    default_site = "config.staff.StaffSite"

    def ready(self) -> None:
        super().ready()
        from config import accounts  # noqa: F401  # registers what belongs to no app of ours
