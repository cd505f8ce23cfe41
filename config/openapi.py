"""The OpenAPI document: what is said of each call, and how it becomes one document.

Requests are described by the shapes that judge them, answers by types that msgspec turns into JSON
Schema, refusals by config.errors. Apps register their calls by decorating their views.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeAlias, TypeVar

import msgspec
from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema

from config import errors
from config.problems import CONTENT_TYPE, STATUS
from config.shapes import Shape

JSONSchema: TypeAlias = dict[str, Any]
Refusals: TypeAlias = Sequence[type[errors.Refusal]]
View = TypeVar("View", bound=Callable[..., Any])

REFS = "#/components/schemas/"
EVENT_STREAM = "text/event-stream"

# Any request may meet these.
ALWAYS: Refusals = (errors.BadRequest, errors.NotAcceptable, errors.InternalError, errors.Unavailable)
WITH_BODY: Refusals = (
    errors.Invalid,
    errors.MalformedJSON,
    errors.TooLarge,
    errors.UnsupportedMediaType,
)

# What problem documents of a kind carry beside code and detail.
MEMBERS: Mapping[type[errors.Refusal], Mapping[str, JSONSchema]] = {
    errors.Invalid: {
        "errors": {
            "type": "object",
            "description": "By field, everything that is wrong with it; `body` if it is not about one.",
            "additionalProperties": True,
        }
    },
    errors.Banned: {
        "ban": {
            "type": "string",
            "enum": ["name", "address", "session"],
            "description": "What is banned.",
        },
        "expires_at": {"type": "string", "format": "date-time", "description": "Until when."},
    },
    errors.IllegalMove: {
        "legal_moves": {"type": "array", "items": {"type": "string"}, "description": "What may be moved."},
        "version": {"type": "integer", "description": "The table's version."},
    },
}

HEADERS = {
    "Retry-After": ((202, 429, 503), "integer", "Seconds after which to try again."),
    "WWW-Authenticate": ((401,), "string", "Always `Bearer`."),
}
# Of calls that are counted; see config.throttles. Missing while nothing can be counted.
LIMITS = {
    "RateLimit": "What is left of each limit that this call counts for: `r`, and all of it in `t` seconds.",
    "RateLimit-Policy": "Those limits: `q` requests in `w` seconds.",
}
# Given before a view begins, and so before it counts.
UNCOUNTED = (401, 406)


@dataclass(frozen=True)
class Header:
    """A header that some answers of a call carry."""

    name: str
    statuses: Sequence[int]
    description: str


@dataclass(frozen=True)
class Call:
    """What the document says of a call.

    `answers` are types by status, None where there is no body; `fields` describe the members of its
    body or query, by a sentence or by a whole schema; `asks` and `tells` are examples, the latter a
    function, since it is needed only when the document is. `counted`: see config.throttles. A call that
    answers with a stream has
    `messages`: the types of its data by the names of its events. `takes` names the component that
    describes a body which no shape judges; `text` says what its answer is as text.
    """

    operation: str
    tag: str
    summary: str
    answers: Mapping[int, Any]
    refusals: Refusals = ()
    description: str = ""
    fields: Mapping[str, str | JSONSchema] = field(default_factory=dict)
    token: bool = True
    once: bool = False
    counted: bool = False
    parameters: Sequence[OpenApiParameter] = ()
    headers: Sequence[Header] = ()
    messages: Mapping[str, Any] = field(default_factory=dict)
    takes: str = ""
    text: str = ""
    asks: Any = None
    tells: Callable[[], Any] | None = None


CALLS: dict[str, Call] = {}
COMPONENTS: dict[str, JSONSchema] = {}
# What is said of parameters of that name wherever a call does not say it itself.
COMMON: dict[str, str | JSONSchema] = {}

IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "minLength": 1, "maxLength": 64, "pattern": r"^[!-~]([ -~]{0,62}[!-~])?$"},
    OpenApiParameter.HEADER,
    description="Your own name for this request: sent again with the same key, it does nothing twice.",
)


def documented(
    call: Call, *, body: type[Shape] | None = None, query: type[Shape] | None = None
) -> Callable[[View], View]:
    """Register what the document says of the decorated view."""
    CALLS[call.operation] = call
    refusals = _refusals(call, body, query)
    parameters: list[Any] = [*call.parameters, *_headers(call, refusals)]
    if query:
        parameters.append(query)
    if call.once:
        parameters.append(IDEMPOTENCY_KEY)
    return extend_schema(
        operation_id=call.operation,
        tags=[call.tag],
        summary=call.summary,
        description=call.description,
        parameters=parameters,
        request={"application/json": ref(call.takes)} if call.takes else body,
        responses={**_answers(call), **_problems(refusals)},
        examples=[OpenApiExample("request", call.asks, request_only=True)] if call.asks else [],
    )


def _refusals(call: Call, body: type[Shape] | None, query: type[Shape] | None) -> list[type[errors.Refusal]]:
    found = {*ALWAYS, *call.refusals}
    found.update(WITH_BODY if body or call.takes else (), (errors.Invalid,) if query else ())
    found.update((errors.NotAuthenticated, errors.Banned) if call.token else ())
    found.update((errors.IdempotencyMismatch,) if call.once else ())
    return [refusal for refusal in STATUS if refusal in found]


def _headers(call: Call, refusals: Refusals) -> Iterable[OpenApiParameter]:
    told = {*call.answers, *(STATUS[refusal] for refusal in refusals)}
    for name, (statuses, kind, description) in HEADERS.items():
        if told.intersection(statuses):
            yield _header(name, kind, statuses, description)
    for header in call.headers:
        yield _header(header.name, "string", header.statuses, header.description)
    for name, description in LIMITS.items() if call.counted else ():
        yield _header(name, "string", sorted(told.difference(UNCOUNTED)), description, required=False)


def _header(
    name: str, kind: str, statuses: Sequence[int], description: str, *, required: bool = True
) -> OpenApiParameter:
    return OpenApiParameter(
        name,
        {"type": kind},
        OpenApiParameter.HEADER,
        required=required,
        description=description,
        response=list(statuses),
    )


def _answers(call: Call) -> dict[Any, OpenApiResponse]:
    answers: dict[Any, OpenApiResponse] = {
        (status, "application/json") if kind else status: OpenApiResponse(
            ref(kind.__name__) if kind else None, DESCRIPTIONS[status]
        )
        for status, kind in call.answers.items()
    }
    if call.text:
        answers[200, "text/plain"] = OpenApiResponse({"type": "string", "description": call.text})
    if call.messages:
        answers[200, EVENT_STREAM] = OpenApiResponse(
            one_of([_message(event, kind) for event, kind in call.messages.items()]), STREAMED
        )
    return answers


# Open API 3.1 has no word for the items of a stream: by custom the schema is that of each.
STREAMED = (
    "Server-sent events for as long as it is open; the schema is that of one event, whose data is one line of"
    " JSON. Ignore events that you don't know."
)


def _message(event: str, kind: Any) -> JSONSchema:
    properties = {
        "event": {"type": "string", "const": event},
        "id": {"type": "string", "description": "The cursor that this event leads to, where there is one."},
        "data": {
            "type": "string",
            "contentMediaType": "application/json",
            "contentSchema": ref(kind.__name__),
        },
    }
    return {"type": "object", "properties": properties, "required": ["event", "data"]}


DESCRIPTIONS = {
    200: "As asked.",
    201: "Made.",
    202: "Being made; ask again in a while.",
    204: "Done; there is nothing to tell.",
    304: "Unchanged since the version that `If-None-Match` names.",
}


def _problems(refusals: Refusals) -> dict[tuple[int, str], OpenApiResponse]:
    by_status: dict[int, list[type[errors.Refusal]]] = {}
    for refusal in refusals:
        by_status.setdefault(STATUS[refusal], []).append(refusal)
    return {
        (status, CONTENT_TYPE): OpenApiResponse(
            one_of([ref(_name(refusal)) for refusal in some]),
            " ".join(f"`{refusal.code}`: {refusal.title}." for refusal in some),
        )
        for status, some in sorted(by_status.items())
    }


def _name(refusal: type[errors.Refusal]) -> str:
    return f"{refusal.__name__}Problem"


def _problem_schema(refusal: type[errors.Refusal]) -> JSONSchema:
    members = MEMBERS.get(refusal, {})
    properties = {
        "type": {"type": "string", "format": "uri-reference", "description": "Where the code is explained."},
        "title": {"type": "string", "description": "What the code means."},
        "status": {"type": "integer", "const": STATUS[refusal]},
        "code": {"type": "string", "const": refusal.code},
        "detail": {"type": "string", "description": "What it means here; may be shown."},
        **members,
    }
    return {
        "type": "object",
        "description": f"{refusal.title}.",
        "properties": properties,
        "required": list(properties),
    }


def ref(name: str) -> JSONSchema:
    return {"$ref": f"{REFS}{name}"}


def one_of(schemas: list[JSONSchema]) -> JSONSchema:
    return schemas[0] if len(schemas) == 1 else {"oneOf": schemas}


class Bodies(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]  # its metaclass has no types
    """Shapes know every member that they take."""

    target_class = "config.shapes.Shape"
    match_subclasses = True

    def get_name(self, auto_schema: Any, direction: Any) -> str:
        return f"{type(self.target).__name__.removesuffix('Shape')}Body"

    def map_serializer(self, auto_schema: Any, direction: Any) -> JSONSchema:
        mapped: JSONSchema = auto_schema._map_serializer(self.target, direction, bypass_extensions=True)
        return {**mapped, "additionalProperties": False}


def one_root(endpoints: list[Any]) -> list[Any]:
    """The API's root answers under two addresses; one of them is documented."""
    return [endpoint for endpoint in endpoints if endpoint[0] != "/api/v1"]


def complete(result: JSONSchema, **_: Any) -> JSONSchema:
    """Add what drf-spectacular knows nothing of: answers, problems, what is said of fields."""
    schemas = result["components"].setdefault("schemas", {})
    schemas.update(_answer_components())
    schemas.update({_name(refusal): _problem_schema(refusal) for refusal in STATUS})
    schemas.update(COMPONENTS)
    for operation in operations(result):
        _describe(operation, CALLS[operation["operationId"]], schemas)
    _tidy(result)
    return result


def operations(document: JSONSchema) -> list[JSONSchema]:
    return [operation for calls in document["paths"].values() for operation in calls.values()]


def _answer_components() -> dict[str, JSONSchema]:
    told = (kind for call in CALLS.values() for kind in (*call.answers.values(), *call.messages.values()))
    kinds = {kind for kind in told if kind}
    ordered = sorted(kinds, key=lambda kind: str(kind.__name__))
    _, components = msgspec.json.schema_components(ordered, ref_template=f"{REFS}{{name}}")
    for component in components.values():
        # What is told may grow, even where the same type is strict when it is read.
        component.pop("additionalProperties", None)
    return components


def _describe(operation: JSONSchema, call: Call, schemas: JSONSchema) -> None:
    for parameter in operation.get("parameters", []):
        if said := call.fields.get(parameter["name"]) or COMMON.get(parameter["name"]):
            _specify(parameter, "schema", said)
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    properties = schemas[body["schema"]["$ref"].removeprefix(REFS)].get("properties", {}) if body else {}
    for name in properties:
        if name in call.fields:
            _specify(properties, name, call.fields[name])
    for status, answer in operation["responses"].items():
        if call.tells and status in {"200", "201"}:
            media = next(iter(answer["content"].values()))
            media["example"] = msgspec.to_builtins(call.tells())


def _specify(holder: JSONSchema, name: str, said: str | JSONSchema) -> None:
    """A sentence describes what is there; a schema takes its place."""
    if isinstance(said, str):
        described = holder if "in" in holder else holder[name]
        described["description"] = said
    else:
        holder[name] = dict(said)


def _tidy(node: Any) -> None:
    """What generators of clients stumble over: enums without a type, titles that repeat, private marks,
    and objects that may hold anything but don't say so.
    """
    if isinstance(node, list):
        for inner in node:
            _tidy(inner)
    elif isinstance(node, dict):
        node.pop("x-spec-enum-id", None)
        if isinstance(node.get("title"), str) and "properties" in node:
            del node["title"]
        values = node.get("enum")
        if isinstance(values, list) and all(isinstance(value, str) for value in values):
            node.setdefault("type", "string")
        if node.get("items") is False:
            node["items"] = {}  # after `prefixItems`; `maxItems` says the same to more readers
        if node.get("type") == "object" and "properties" not in node:
            node.setdefault("additionalProperties", True)
        for inner in node.values():
            _tidy(inner)


@cache
def document() -> JSONSchema:
    """The OpenAPI document of this process."""
    made: JSONSchema = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return made
