"""What a request asked for, as one of the addresses in config/urls.py: never what somebody typed."""

import re
from functools import lru_cache
from typing import Any

from django.urls import Resolver404, resolve

from config.metrics import OTHER

MOVES = "/api/v1/tables/{table_id}/moves"
# Pages with many addresses count as one.
GATHERED = ("admin/", "static/", "play/")


@lru_cache(maxsize=1024)
def label(route: str) -> str:
    """A pattern of Django's as a path: `tables/<uuid:table_id>` is `/tables/{table_id}`."""
    for first in GATHERED:
        if route.startswith(first):
            return f"/{first}"
    return "/" + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", route)


def of_request(request: Any) -> str:
    """The route of a request that Django has resolved; else `other`."""
    match = getattr(request, "resolver_match", None)
    if match is not None:
        return label(match.route)
    return "/static/" if getattr(request, "path_info", "").startswith("/static/") else OTHER


def of_path(path: str) -> str:
    """The route of a path. Costs a search: not for the way of a move."""
    if path.startswith("/static/"):
        return "/static/"
    try:
        return label(resolve(path).route)
    except Resolver404:
        return OTHER
