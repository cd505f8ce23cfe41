"""All settings, read from the environment; safe for development, refusing an insecure production."""

import os
from datetime import timedelta
from ipaddress import ip_network
from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from psycopg.conninfo import conninfo_to_dict

from config import logs

BASE_DIR = Path(__file__).resolve().parent.parent
VERSION = "0.1.0"


FLAGS = {
    **dict.fromkeys(("true", "1", "yes", "on"), True),
    **dict.fromkeys(("false", "0", "no", "off"), False),
}


def text(name: str, default: str = "") -> str:
    return os.environ.get(name, "") or default


def flag(name: str, default: bool = False) -> bool:
    """Raises ImproperlyConfigured for anything that says neither yes nor no."""
    said = text(name, str(default)).lower()
    if said not in FLAGS:
        raise ImproperlyConfigured(f"{name} must be one of: {', '.join(FLAGS)}")
    return FLAGS[said]


def number(name: str, default: float, least: float = 0) -> float:
    """Raises ImproperlyConfigured for anything that is no number, or below `least`."""
    try:
        value = float(text(name, str(default)))
    except ValueError:
        raise ImproperlyConfigured(f"{name} must be a number") from None
    if not least <= value < float("inf"):
        raise ImproperlyConfigured(f"{name} must be at least {least:g}")
    return value


def words(name: str) -> list[str]:
    return [word.strip() for word in text(name).split(",") if word.strip()]


def check_networks(name: str, given: list[str]) -> None:
    """Raises ImproperlyConfigured for what is no network; a number of proxies may stand alone."""
    if name == "TRUSTED_PROXIES" and len(given) == 1 and given[0].isdecimal():
        return
    try:
        for word in given:
            ip_network(word, strict=False)
    except ValueError:
        raise ImproperlyConfigured(f"{name} has {word!r}, which is no address or network") from None


def postgres(url: str) -> dict[str, Any]:
    """Django's entry for a libpq connection URI, with a bounded pool unless a pooler is in between."""
    try:
        given = conninfo_to_dict(url)
    except Exception:
        raise ImproperlyConfigured("DATABASE_URL is not a PostgreSQL connection URI") from None
    if not str(given.get("port", 0)).replace(",", "").isdigit():
        raise ImproperlyConfigured("DATABASE_URL names a port that is no number")
    entry: dict[str, Any] = {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": given.pop("dbname", "boneyard"),
        "USER": given.pop("user", ""),
        "PASSWORD": given.pop("password", ""),
        "HOST": given.pop("host", ""),
        "PORT": str(given.pop("port", "")),
        "OPTIONS": {"connect_timeout": 2, "server_side_binding": True, **given},
    }
    if DATABASE_POOLER == "transaction":
        # A statement prepared on one server connection is unknown on the next.
        entry["OPTIONS"]["prepare_threshold"] = None
        entry["DISABLE_SERVER_SIDE_CURSORS"] = True
    else:
        entry["OPTIONS"]["prepare_threshold"] = 5
        entry["OPTIONS"]["pool"] = {"min_size": 1, "max_size": DATABASE_POOL_SIZE, "timeout": 2}
    return entry


# --- who runs this, and where -------------------------------------------------------------------

PRODUCTION = flag("PRODUCTION")
DEBUG = flag("DEBUG")
INSECURE_KEY = "insecure-development-key-that-production-refuses"
SECRET_KEY = text("SECRET_KEY", INSECURE_KEY)
ALLOWED_HOSTS = words("ALLOWED_HOSTS") or ([] if PRODUCTION else ["*"])
CSRF_TRUSTED_ORIGINS = words("CSRF_TRUSTED_ORIGINS")

if PRODUCTION:
    if SECRET_KEY == INSECURE_KEY or len(SECRET_KEY) < 50 or len(set(SECRET_KEY)) < 5:
        raise ImproperlyConfigured("PRODUCTION needs a SECRET_KEY of its own: 50 random characters or more")
    if DEBUG:
        raise ImproperlyConfigured("PRODUCTION and DEBUG exclude each other")
    if not ALLOWED_HOSTS or "*" in ALLOWED_HOSTS:
        raise ImproperlyConfigured("PRODUCTION needs ALLOWED_HOSTS, the names under which it is reached")
    if not text("DATABASE_URL"):
        raise ImproperlyConfigured("PRODUCTION needs DATABASE_URL")

HTTPS = flag("HTTPS", PRODUCTION)
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
SECURE_HSTS_PRELOAD = HTTPS
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Strict"
CSRF_COOKIE_HTTPONLY = True
LOGIN_REDIRECT_URL = "/admin/"
X_FRAME_OPTIONS = "DENY"
# The proxies in front, by their networks or by their number. Nobody else is believed about addresses.
TRUSTED_PROXIES = words("TRUSTED_PROXIES")
# Who may read /metrics, by addresses and networks.
METRICS_ALLOW = words("METRICS_ALLOW") or ["127.0.0.0/8", "::1"]
for name, given in (("TRUSTED_PROXIES", TRUSTED_PROXIES), ("METRICS_ALLOW", METRICS_ALLOW)):
    check_networks(name, given)
# Where a worker tells its own metrics; 0 for nowhere.
WORKER_METRICS_PORT = int(number("WORKER_METRICS_PORT", 0))

# --- the application ----------------------------------------------------------------------------

INSTALLED_APPS = [
    "unfold.apps.BasicAppConfig",
    "config.apps.StaffConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "corsheaders",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "sessions.apps.PlayersConfig",
    "games.apps.GamesConfig",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "config.wire.with_length",
    "config.policies.guard",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.cors.Cors",
    "config.desk.Sessions",
    "django.middleware.csrf.CsrfViewMiddleware",
    "config.desk.Users",
    "config.desk.Verified",
    "config.desk.Messages",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "config" / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
APPEND_SLASH = False
CSRF_FAILURE_VIEW = "config.problems.forbidden"
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"
USE_I18N = False
FORMAT_MODULE_PATH = "config.formats"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

STATIC_URL = "/static/"
# Files are served from the packages themselves, so that a clone runs without collecting them first.
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = False

# --- staff --------------------------------------------------------------------------------------

# Whoever logs in to the admin does so again after so long.
SESSION_COOKIE_AGE = int(number("STAFF_SESSION_SECONDS", 28_800, least=60))
SESSION_COOKIE_PATH = CSRF_COOKIE_PATH = "/admin/"
# Whether all staff need a code from an app beside their password, or only who has set one up.
STAFF_OTP_REQUIRED = flag("STAFF_OTP_REQUIRED")
OTP_TOTP_ISSUER = "Boneyard"

UNFOLD = {
    "SITE_TITLE": "Boneyard",
    "SITE_HEADER": "Boneyard",
    "SITE_SUBHEADER": "For moderators and operators",
    "SITE_SYMBOL": "casino",
    "SHOW_VIEW_ON_SITE": False,
    "SHOW_BACK_BUTTON": True,
    "STYLES": [STATIC_URL + "desk/desk.css"],
    "SCRIPTS": [STATIC_URL + "desk/desk.js"],
    "SIDEBAR": {"navigation": "config.staff.sidebar"},
    "ACCOUNT": {
        "navigation": [
            {"title": "Change password", "link": "/admin/password_change/"},
            {"title": "Second factor", "link": "/admin/second-factor/"},
        ]
    },
    "COLORS": {
        "primary": {
            "50": "oklch(97% .02 170)",
            "100": "oklch(94% .04 170)",
            "200": "oklch(89% .07 170)",
            "300": "oklch(82% .1 170)",
            "400": "oklch(72% .12 170)",
            "500": "oklch(60% .11 172)",
            "600": "oklch(49% .09 173)",
            "700": "oklch(42% .08 174)",
            "800": "oklch(36% .06 175)",
            "900": "oklch(31% .05 176)",
            "950": "oklch(22% .04 177)",
        }
    },
}

# --- PostgreSQL, Valkey, Celery -----------------------------------------------------------------

DATABASE_POOLER = text("DATABASE_POOLER")
if DATABASE_POOLER not in ("", "transaction"):
    raise ImproperlyConfigured("DATABASE_POOLER can only be `transaction`, or nothing")
DATABASE_POOL_SIZE = int(number("DATABASE_POOL_SIZE", 20, least=1))
DATABASES = {"default": postgres(text("DATABASE_URL", "postgresql://boneyard@127.0.0.1:5432/boneyard"))}

REDIS_URL = text("REDIS_URL", "redis://127.0.0.1:6379/0")
CELERY_BROKER_URL = REDIS_URL

# --- the API ------------------------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["sessions.authentication.BearerAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["config.wire.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["config.wire.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_METADATA_CLASS": None,
    "EXCEPTION_HANDLER": "config.problems.handle",
    "UNAUTHENTICATED_USER": None,
    "URL_FORMAT_OVERRIDE": None,
}

CORS_ALLOWED_ORIGINS = words("CORS_ALLOWED_ORIGINS")
CORS_ALLOW_ALL_ORIGINS = flag("CORS_ALLOW_ALL_ORIGINS", not PRODUCTION)
CORS_URLS_REGEX = r"^/api/"
CORS_ALLOW_HEADERS = ["authorization", "content-type", "idempotency-key", "last-event-id"]
CORS_EXPOSE_HEADERS = ["Retry-After", "ETag", "Date", "Location"]

# Threads that answer requests, and threads of their own for entering, where secrets are hashed.
WEB_THREADS = int(number("WEB_THREADS", 16, least=1))
ENTRANCE_THREADS = 2

BODY_LIMIT_BYTES = 64 * 1024
DATA_UPLOAD_MAX_MEMORY_SIZE = BODY_LIMIT_BYTES
# Records that are sent to be checked are longer than anything else: about 20,000 moves.
RECORD_LIMIT_BYTES = 2 * 1024 * 1024

# --- sessions -----------------------------------------------------------------------------------

SESSION_IDLE = timedelta(seconds=number("SESSION_IDLE_SECONDS", 86_400, least=1))
# How often a player's last act is written, and forgotten players are looked for.
SESSION_RENEWAL = min(timedelta(seconds=60), SESSION_IDLE / 10)
NAME_LENGTHS = (1, 24)
SECRET_LENGTHS = (4, 128)
TOKENS_PER_PLAYER = 32
TICKET_LIVES = timedelta(seconds=30)

# Words that no new name may hold, beside those that moderators add; with = before it, none may be.
REFUSED_NAMES = words("REFUSED_NAMES")
# How long a ban may last.
BAN_LONGEST = timedelta(days=366)

# --- tables -------------------------------------------------------------------------------------

TURN_SECONDS = (10, 86_400)
TURN_SECONDS_DEFAULT = 120
OPEN_TABLES_PER_PLAYER = 12
LIVE_TABLES_PER_PLAYER = 50
TABLE_OPEN = timedelta(seconds=number("TABLE_OPEN_SECONDS", 1_800, least=1))
TABLE_ABANDON = timedelta(seconds=number("TABLE_ABANDON_SECONDS", 3_600, least=1))
TABLE_UNTOUCHED = timedelta(seconds=number("TABLE_UNTOUCHED_SECONDS", 86_400, least=1))
# How long a bot, or a stand-in after its first move, seems to think.
BOT_PAUSE = timedelta(seconds=number("BOT_PAUSE_SECONDS", 1))
IDEMPOTENCY_KEYS_LIVE = timedelta(hours=24)

# --- limits -------------------------------------------------------------------------------------

# Streams and long polls held open at once, in each web process.
STREAMS_PER_PLAYER = int(number("STREAMS_PER_PLAYER", 12, least=1))
STREAMS_PER_ADDRESS = int(number("STREAMS_PER_ADDRESS", 250, least=1))
# A stream ends politely after so long; its client comes back where it left off.
STREAM_LIFETIME = timedelta(seconds=number("STREAM_LIFETIME_SECONDS", 3_600, least=1))
STREAM_KEEP_ALIVE = timedelta(seconds=number("STREAM_KEEP_ALIVE_SECONDS", 15, least=0.1))
# A client that does not take what it is sent for so long has its stream ended; it may come back.
STREAM_SLOW = timedelta(seconds=number("STREAM_SLOW_SECONDS", 20, least=0.1))
# A table that is over keeps its streams so long, for the rematch.
REMATCH = timedelta(seconds=number("REMATCH_SECONDS", 120))
STREAM_THREADS = int(number("STREAM_THREADS", 4, least=1))

CODE_LOOKS_PER_MINUTE = int(number("CODE_LOOKS_PER_MINUTE", 20, least=1))
# Both cost the server some thinking.
ODDS_PER_MINUTE = int(number("ODDS_PER_MINUTE", 60, least=1))
ANALYSES_PER_MINUTE = int(number("ANALYSES_PER_MINUTE", 10, least=1))
ENTRIES_PER_MINUTE = int(number("ENTRIES_PER_MINUTE", 1_200, least=1))
TABLES_PER_MINUTE = int(number("TABLES_PER_MINUTE", 60, least=1))
TICKETS_PER_MINUTE = int(number("TICKETS_PER_MINUTE", 120, least=1))
# How many things one player may report; and an address so many times as much.
REPORTS_PER_HOUR = int(number("REPORTS_PER_HOUR", 10, least=1))
REPORTERS_PER_ADDRESS = 10
RECORD_CHECKS_PER_MINUTE = int(number("RECORD_CHECKS_PER_MINUTE", 30, least=1))

# --- looking after what is stored ---------------------------------------------------------------

# How many tables are replayed each night, to see whether they still lead to what is stored.
HISTORIES_PER_NIGHT = int(number("HISTORIES_PER_NIGHT", 200))

# For so many days a table that is over is kept; 0 for ever.
TABLE_KEEP = timedelta(days=number("TABLE_KEEP_DAYS", 90))
# What players wrote in a report is deleted after so long, decided or not.
REPORT_TEXT_KEPT = timedelta(days=number("REPORT_TEXT_DAYS", 30, least=0.01))

# --- logs ---------------------------------------------------------------------------------------

LOG_FORMAT = text("LOG_FORMAT", "text")
if LOG_FORMAT not in ("json", "text"):
    raise ImproperlyConfigured("LOG_FORMAT can only be `json` or `text`")
# A line for each request. What a move costs grows by a hundredth or two.
LOG_REQUESTS = flag("LOG_REQUESTS", False)
LOGGING = logs.configuration(LOG_FORMAT, text("LOG_LEVEL", "INFO"))

# --- the OpenAPI document; its words are in config/schema.py ------------------------------------

SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Boneyard",
    "VERSION": VERSION,
    "LICENSE": {"name": "MIT"},
    "OAS_VERSION": "3.1.1",
    "SORT_OPERATIONS": False,
    "SORT_OPERATION_PARAMETERS": False,
    "ENFORCE_NON_BLANK_FIELDS": True,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "DISABLE_DOCSTRING_DESCRIPTIONS": True,
    "PREPROCESSING_HOOKS": ["config.openapi.one_root", "config.urls.in_order"],
    "POSTPROCESSING_HOOKS": ["config.openapi.complete", "config.schema.introduce"],
    "PATH_CONVERTER_OVERRIDES": {"int": {"type": "integer", "minimum": 0}},
}
