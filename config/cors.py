"""Pages of other origins: their middleware, kept from requests that come from no page."""

import re
from typing import Any

from corsheaders.middleware import CorsMiddleware
from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.utils.cache import patch_vary_headers

ENABLED = re.compile(settings.CORS_URLS_REGEX)


class Cors(CorsMiddleware):
    """What it does without an Origin is to say that the answer depends on it; it takes its time for that."""

    get_response: Any

    def __call__(self, request: HttpRequest) -> Any:
        if "HTTP_ORIGIN" in request.META or request.method == "OPTIONS":
            return super().__call__(request)
        response: HttpResponseBase = self.get_response(request)
        if ENABLED.match(request.path_info):
            if response.has_header("Vary"):
                patch_vary_headers(response, ("origin",))
            else:
                response["Vary"] = "origin"
        return response
