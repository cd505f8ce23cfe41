"""Staff: their accounts, their groups, and the log of all that they did."""

from typing import Any
from uuid import UUID

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django_otp.plugins.otp_totp.models import TOTPDevice
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from config.acts import parts_of
from config.staff import ModelAdmin, ReadOnlyAdmin

for model in (User, Group, TOTPDevice):
    # Django's pages are replaced by ours; a device's page would show others' keys.
    if admin.site.is_registered(model):
        admin.site.unregister(model)


@admin.register(User)
class AccountAdmin(UserAdmin, ModelAdmin):  # type: ignore[type-arg,misc]  # unfold has no types
    """Accounts of staff. They are made inactive and not deleted: the log says what they did."""

    form, add_form, change_password_form = UserChangeForm, UserCreationForm, AdminPasswordChangeForm
    list_display = ("username", "is_active", "is_superuser", "in_groups", "last_login")
    list_filter = ()
    actions = None

    @admin.display(description="groups")
    def in_groups(self, user: User) -> str:
        return ", ".join(group.name for group in user.groups.all()) or "–"

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        return super().get_queryset(request).prefetch_related("groups")

    def found(self, rows: QuerySet[Any], wanted: str) -> QuerySet[Any]:
        return rows.filter(username=wanted)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Group)
class TeamAdmin(GroupAdmin, ModelAdmin):  # type: ignore[misc]  # unfold has no types
    """What members of a group may do."""


@admin.register(LogEntry)
class LogAdmin(ReadOnlyAdmin):
    """Who did what, about what, and why."""

    list_display = ("when", "user", "what", "why", "about")
    list_display_links = None
    list_select_related = ("user", "content_type")
    search_fields = ("object_id",)
    search_help_text = "The id of a table or a player, or the name of a member of staff"

    @admin.display(description="when (UTC)")
    def when(self, entry: LogEntry) -> str:
        return f"{entry.action_time:%Y-%m-%d %H:%M:%S}"

    @admin.display()
    def what(self, entry: LogEntry) -> str:
        return parts_of(entry)[0] or ACTS.get(entry.action_flag, "")

    @admin.display()
    def why(self, entry: LogEntry) -> str:
        return parts_of(entry)[1] or "–"

    @admin.display()
    def about(self, entry: LogEntry) -> str:
        kind = entry.content_type.name if entry.content_type else ""
        url = entry.get_admin_url()
        if not url:
            return f"{kind} {entry.object_id}"
        return format_html('<a class="desk-link" href="{}">{} {}</a>', url, kind, entry.object_id)

    def found(self, rows: QuerySet[Any], wanted: str) -> QuerySet[Any]:
        try:
            kinds = ContentType.objects.filter(app_label__in=["games", "players"]).values_list(
                "pk", flat=True
            )
            return rows.filter(content_type__in=list(kinds), object_id=str(UUID(wanted)))
        except ValueError:
            user = User.objects.filter(username=wanted).first()
            return rows.filter(user=user) if user else rows.none()

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        # There is nothing more to an entry than what the list shows.
        return obj is None and super().has_view_permission(request, obj)


ACTS = {1: "Added", 2: "Changed", 3: "Deleted"}
