"""The admin's site: who gets in and how, and what other parts of the server may add to its pages."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import SuspiciousOperation
from django.db import transaction
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect
from unfold.sites import UnfoldAdminSite

from config.acts import write_down
from config.lists import ModelAdmin, ReadOnlyAdmin
from config.second_factor import CodeForm, LoginForm, confirm, device_of, pending_device, picture, turn_off
from sessions import devices

__all__ = ["Link", "ModelAdmin", "ReadOnlyAdmin", "StaffSite", "links_for", "offers"]


@dataclass(frozen=True, slots=True)
class Link:
    """Something that can be done about a thing, on a page of its own."""

    label: str
    url: str
    dangerous: bool = False


Offer = Callable[[HttpRequest, Any], Iterable[Link]]
_offers: dict[str, list[Offer]] = {}


def offers(label: str) -> Callable[[Offer], Offer]:
    """Registers what else can be done about things of a model, `players.player` or `games.table`.

    The function gets the request and the thing, and yields what this member of staff may do.
    """

    def register(offer: Offer) -> Offer:
        _offers.setdefault(label, []).append(offer)
        return offer

    return register


def links_for(request: HttpRequest, thing: Model) -> list[Link]:
    """All that other parts of the server offer this member of staff about a thing."""
    return [link for offer in _offers.get(thing._meta.label_lower, ()) for link in offer(request, thing)]


class StaffSite(UnfoldAdminSite):  # type: ignore[misc]  # unfold has no types
    """The admin. A password lets in, and a code where one is set up or wanted of all."""

    login_form = LoginForm
    login_template = "desk/login.html"
    enable_nav_sidebar = True

    def has_permission(self, request: HttpRequest) -> bool:
        return _is_staff(request) and (_is_verified(request) or not _wants_code(request))

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """Every page knows the browser again, so that who plays in it is not shown what is hidden."""
        inner = super().admin_view(view, cacheable)

        def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            _check(request)
            return _known(request, inner(request, *args, **kwargs))

        return answer

    def get_urls(self) -> list[URLPattern]:
        """None leads to a thing's page outside: nothing here has one."""
        return [url for url in super().get_urls() if getattr(url, "name", None) != "view_on_site"]

    def extra_urls(self) -> list[URLPattern]:
        return [path("second-factor/", self.second_factor, name="second_factor")]

    def autocomplete_view(self, request: HttpRequest) -> HttpResponseBase:
        """No form of ours has such a field, and what it finds would be one more thing to watch."""
        raise Http404

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponseBase:
        if request.method == "GET" and _must_set_up(request):
            # Logged in, and sent here all the same.
            return HttpResponseRedirect(reverse("admin:second_factor"))
        response = super().login(request, extra_context)
        form = (getattr(response, "context_data", None) or {}).get("form")
        if isinstance(form, LoginForm) and form.wait:
            response.status_code = 429
            response.headers["Retry-After"] = str(form.wait)
        return _known(request, response)

    def password_change(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponseBase:
        with transaction.atomic():
            response = super().password_change(request, extra_context)
            if request.method == "POST" and response.status_code == HTTPStatus.FOUND:
                who = member(request)
                write_down(who=who, about=who, what="Changed the password", why="By its owner")
        return response  # type: ignore[no-any-return]  # unfold has no types

    def second_factor(self, request: HttpRequest) -> HttpResponseBase:
        """Set up the app that gives codes, or turn it off."""
        return csrf_protect(never_cache(self._second_factor))(request)

    def _second_factor(self, request: HttpRequest) -> HttpResponseBase:
        if not _is_staff(request) or (device_of(request.user) and not _is_verified(request)):
            return HttpResponseRedirect(reverse("admin:login"))
        if _is_verified(request):
            return self._has_factor(request)
        device = pending_device(request.user)
        form = CodeForm(request.POST if request.method == "POST" else None)
        if form.is_valid():
            if confirm(request, device, form.cleaned_data["code"]):
                messages.success(request, "From now on you log in with a code as well.")
                return HttpResponseRedirect(reverse("admin:index"))
            form.add_error("code", "This is not the code that the app shows now.")
        return self._page(request, "desk/second_factor.html", form=form, **picture(device))

    def _has_factor(self, request: HttpRequest) -> HttpResponseBase:
        if request.method != "POST":
            return self._page(request, "desk/second_factor.html", on=True)
        turn_off(request)
        messages.success(request, "Codes are off.")
        return HttpResponseRedirect(reverse("admin:index"))

    def _page(self, request: HttpRequest, template: str, **context: Any) -> TemplateResponse:
        request.current_app = self.name
        whole = {**self.each_context(request), "title": "Second factor", **context}
        return TemplateResponse(request, template, whole)


def _is_staff(request: HttpRequest) -> bool:
    user = request.user
    return bool(user.is_active and getattr(user, "is_staff", False))


def _is_verified(request: HttpRequest) -> bool:
    return bool(getattr(request.user, "otp_device", None))


def _wants_code(request: HttpRequest) -> bool:
    """Of all, if the settings say so; of whoever has set one up, always."""
    return settings.STAFF_OTP_REQUIRED or device_of(request.user) is not None


def _must_set_up(request: HttpRequest) -> bool:
    return settings.STAFF_OTP_REQUIRED and _is_staff(request) and device_of(request.user) is None


def _check(request: HttpRequest) -> None:
    """Raises SuspiciousOperation for an address with a character that PostgreSQL takes in no text."""
    asked = [request.path_info, *(value for _, values in request.GET.lists() for value in values)]
    if any("\x00" in text for text in asked):
        raise SuspiciousOperation


def _known(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    devices.keep(devices.cookie_of(request), response)
    return response


def sidebar(request: HttpRequest) -> list[dict[str, Any]]:
    """The way to every list that this member of staff may see."""
    from django.contrib import admin

    return [
        {"title": app["name"], "items": [_item(model) for model in app["models"] if model["admin_url"]]}
        for app in admin.site.get_app_list(request)
    ]


def _item(model: dict[str, Any]) -> dict[str, str]:
    icon = ICONS.get(model["object_name"], "list")
    return {"title": model["name"], "icon": icon, "link": model["admin_url"]}


ICONS = {
    "Table": "playing_cards",
    "Player": "group",
    "Report": "flag",
    "Ban": "block",
    "NameInQuestion": "help",
    "RefusedName": "spellcheck",
    "LogEntry": "history",
    "User": "badge",
    "Group": "shield_person",
    "Sweep": "timer",
    "HistoryCheck": "fact_check",
}


def member(request: HttpRequest) -> User:
    """Whose request this is; the pages of the admin have let it in."""
    return cast("User", request.user)
