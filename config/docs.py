"""What people and programs read about the API: the OpenAPI document, its page, and every error code.

All of it comes from this server; the page may load nothing from anywhere else.
"""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from drf_spectacular.renderers import OpenApiYamlRenderer
from drf_spectacular.utils import extend_schema
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from config.advice import ADVICE
from config.errors import Refusal
from config.openapi import document
from config.problems import STATUS
from config.wire import dump
from sessions.views import OpenView

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
INTERFACE = "drf_spectacular_sidecar/swagger-ui-dist/"


@cache
def as_json() -> bytes:
    return json.dumps(document(), ensure_ascii=False, indent=1).encode()


@cache
def as_yaml() -> bytes:
    made: bytes = OpenApiYamlRenderer().render(document())  # type: ignore[no-untyped-call]
    return made


class JSONDocument(BaseRenderer):
    """The document, made once in each process; refusals are JSON whatever was asked for."""

    media_type = "application/vnd.oai.openapi+json"
    format = "json"
    charset = None
    made = staticmethod(as_json)

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        return type(self).made() if data is None else dump(data)


class PlainJSONDocument(JSONDocument):
    media_type = "application/json"


class YAMLDocument(JSONDocument):
    media_type = "application/vnd.oai.openapi"
    format = "yaml"
    made = staticmethod(as_yaml)


class PlainYAMLDocument(YAMLDocument):
    media_type = "application/yaml"


class ByFormat(DefaultContentNegotiation):
    """Accept decides, or `?format=json` and `?format=yaml` for who can't send it."""

    def select_renderer(self, request: Request, renderers: Any, format_suffix: str | None = None) -> Any:
        return super().select_renderer(request, renderers, request.query_params.get("format"))


class SchemaView(OpenView):
    """The OpenAPI document."""

    renderer_classes = (PlainJSONDocument, JSONDocument, YAMLDocument, PlainYAMLDocument)
    content_negotiation_class = ByFormat

    @extend_schema(exclude=True)
    def get(self, request: Request) -> Response:
        return Response(headers={"Cache-Control": "public, max-age=60", "Vary": "Accept"})


def docs(request: HttpRequest) -> HttpResponse:
    """The document as a page on which it can be tried."""
    return page(
        "Boneyard: the API",
        format_html(
            '<link rel="stylesheet" href="{}"><link rel="icon" href="{}">'
            '<script src="{}" defer></script><script src="/api/docs/start.js" defer></script>',
            static(f"{INTERFACE}swagger-ui.css"),
            static(f"{INTERFACE}favicon-32x32.png"),
            static(f"{INTERFACE}swagger-ui-bundle.js"),
        ),
        format_html(
            '<div id="document"><noscript>This page needs JavaScript; <a href="{}">the document itself'
            "</a> does not.</noscript></div>",
            "/api/schema",
        ),
    )


START = """\
SwaggerUIBundle({
  url: "/api/schema",
  dom_id: "#document",
  deepLinking: true,
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
});
"""


def start(request: HttpRequest) -> HttpResponse:
    """A script of its own, since the page runs nothing that stands in it."""
    return HttpResponse(START, content_type="text/javascript; charset=utf-8")


STYLE = """\
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem }
section:target { background: #fff3c4; outline: .5rem solid #fff3c4 }
@media (prefers-color-scheme: dark) {
  body { background: #161616; color: #eee }
  a { color: #8cc8ff }
  section:target { background: #4a3d00; outline-color: #4a3d00 }
}
"""


def error_page(request: HttpRequest) -> HttpResponse:
    """Every code, its status and its meaning: where the `type` of a problem document leads."""
    return page(
        "Boneyard: errors",
        format_html("<style>{}</style>", SafeString(STYLE)),  # nosec B703  # ours
        format_html(
            "<h1>Errors</h1><p>Every refusal is an <code>application/problem+json</code> document; "
            "go by its <code>code</code>. A refused request has changed nothing. More codes may come "
            'within v1: treat one that you don\'t know by its status.</p><p><a href="{}">The API</a></p>{}',
            "/api/docs",
            format_html_join("", "{}", ((_section(kind),) for kind in STATUS)),
        ),
    )


def _section(kind: type[Refusal]) -> SafeString:
    return format_html(
        '<section id="{}"><h2><code>{}</code> · {}</h2><p>{}. {}</p></section>',
        kind.code,
        kind.code,
        STATUS[kind],
        kind.title,
        ADVICE[kind],
    )


def page(title: str, head: SafeString, body: SafeString) -> HttpResponse:
    html = format_html(
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">{}</head><body>{}</body></html>',
        title,
        head,
        body,
    )
    return HttpResponse(html, headers={"Content-Security-Policy": POLICY})
