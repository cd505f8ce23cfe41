"""The admin's lists: in the order of their keys, page by page from a key on, and nothing is counted.

A page costs the same at a thousand rows and at a million, wherever in the list it is.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar

from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.options import ShowFacets
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db import connection
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from unfold.admin import ModelAdmin as UnfoldModelAdmin
from unfold.views import ChangeList

from config.acts import parts_of

FROM = "from"
PAGE = 50


@contextmanager
def planned_anew() -> Iterator[None]:
    """Have PostgreSQL plan each statement for the values that it asks for.

    One plan for any status goes through the whole table in the order of its keys, hoping to find fifty
    rows soon: with a status that no row has, that is the whole table.
    """
    connection.ensure_connection()
    held: Any = connection.connection
    threshold, held.prepare_threshold = held.prepare_threshold, None
    try:
        yield
    finally:
        held.prepare_threshold = threshold


class Pages(Paginator):  # type: ignore[type-arg]  # its elements are of no interest
    """What the templates ask a paginator for, where there are no numbered pages."""

    template_name = "desk/pages.html"


class List(ChangeList):  # type: ignore[misc]  # unfold has no types
    """A page of rows beyond a key: below it where the newest come first, else above."""

    def __init__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        self.beyond = request.GET.get(FROM)
        super().__init__(request, *args, **kwargs)
        self.title = str(self.opts.verbose_name_plural).capitalize()

    def get_filters_params(self, params: Any = None) -> dict[str, Any]:
        wanted: dict[str, Any] = super().get_filters_params(params)
        wanted.pop(FROM, None)
        return wanted

    def get_query_string(self, new_params: Any = None, remove: Any = None) -> str:
        """A link to another choice of rows begins at its first page."""
        text: str = super().get_query_string({FROM: None, **(new_params or {})}, remove)
        return text

    @property
    def is_newest_first(self) -> bool:
        return str(self.model_admin.ordering[0]).startswith("-")

    def get_ordering(self, request: HttpRequest, queryset: QuerySet[Model]) -> list[str]:
        return ["-pk" if self.is_newest_first else "pk"]

    def get_ordering_field_columns(self) -> dict[int, str]:
        return {}

    def get_results(self, request: HttpRequest) -> None:
        rows: QuerySet[Any] = self.queryset
        if (key := self._key()) is not None:
            rows = rows.filter(**{"pk__lt" if self.is_newest_first else "pk__gt": key})
        found = list(rows[: self.list_per_page + 1])
        self.result_list = found[: self.list_per_page]
        self.onward = self._link(self.result_list) if len(found) > self.list_per_page else None
        self.first = self.get_query_string() if key is not None else None
        self.result_count = self.full_result_count = len(self.result_list)
        self.show_full_result_count = self.can_show_all = self.multi_page = False
        self.show_admin_actions = bool(found)
        self.paginator = Pages([], self.list_per_page)
        self.about = None if self.query or self.get_filters_params() else self._about()

    def _key(self) -> Any:
        """The key beyond which the page lies; None for the first page, and for what is no key."""
        try:
            return self.lookup_opts.pk.to_python(self.beyond) if self.beyond else None
        except ValidationError:
            return None

    def _link(self, rows: Sequence[Model]) -> str:
        return self.get_query_string({FROM: rows[-1].pk})

    def _about(self) -> int:
        """How many rows PostgreSQL thinks there are, which costs nothing to ask."""
        with connection.cursor() as cursor:
            cursor.execute("SELECT reltuples FROM pg_class WHERE oid = %s::regclass", [self.opts.db_table])
            (rows,) = cursor.fetchone()
        return int(max(rows, len(self.result_list)))


class ModelAdmin(UnfoldModelAdmin):  # type: ignore[misc]  # unfold has no types
    """The base of all our pages: fast lists, and no way to ask for what is not shown.

    Filters are only those of `list_filter`: any other field in the query could tell, by what it finds,
    what stands in it. `ordering` is by the primary key: the newest first, or with `("pk",)` the oldest.
    """

    list_per_page = PAGE
    show_full_result_count = False
    show_facets = ShowFacets.NEVER
    sortable_by: ClassVar[tuple[str, ...]] = ()
    ordering = ("-pk",)
    list_filter_sheet = False
    object_history_template = "desk/history.html"
    actions: Any = None

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return List

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """What staff did about it, and why."""
        shown: Any = super().history_view(request, object_id, extra_context)
        for entry in getattr(shown, "context_data", {}).get("action_list", ()):
            entry.what, entry.why = parts_of(entry)
        return shown  # type: ignore[no-any-return]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        with planned_anew():
            return super().changelist_view(request, extra_context)

    def response_action(self, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse | None:
        """Do what was chosen to the ticked rows. What was sent for a row and is no key stands for none."""
        sent = request.POST.getlist(ACTION_CHECKBOX_NAME)
        keys = [key for key in sent if self._is_key(key)]
        if len(keys) < len(sent):
            given: Any = request.POST.copy()
            given.setlist(ACTION_CHECKBOX_NAME, keys)
            given._mutable = False
            posted: Any = request
            posted.POST = given
        return super().response_action(request, queryset)  # type: ignore[no-any-return]

    def _is_key(self, text: str) -> bool:
        try:
            self.opts.pk.to_python(text)
        except ValidationError:
            return False
        return "\x00" not in text

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        wanted = search_term.strip()
        found = self.found(queryset, wanted) if wanted else queryset
        return super().get_search_results(request, queryset, wanted) if found is None else (found, False)

    def found(self, rows: QuerySet[Any], wanted: str) -> QuerySet[Any] | None:
        """What a search finds; None leaves it to Django, which looks into `search_fields`."""
        return None

    def get_sortable_by(self, request: HttpRequest) -> tuple[str, ...]:
        return ()

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        for each in self.get_list_filter(request):
            first = each[0] if isinstance(each, tuple | list) else each
            name = getattr(first, "parameter_name", first)
            if lookup in (name, f"{name}__exact", f"{name}__isnull"):
                return True
        return False

    def to_field_allowed(self, request: HttpRequest, to_field: str) -> bool:
        return bool(to_field == self.opts.pk.name)


class ReadOnlyAdmin(ModelAdmin):
    """What is looked at here and changed nowhere in the admin, or by its own acts only."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
