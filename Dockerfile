# One image for all of the server's processes: the web process by default, others by their command.
FROM python:3.13-slim AS packages
WORKDIR /build
COPY requirements.lock ./
RUN python -m venv /venv \
    && /venv/bin/pip install --no-cache-dir --require-hashes --requirement requirements.lock

FROM python:3.13-slim
ENV PATH=/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    DJANGO_SETTINGS_MODULE=config.settings \
    LOG_FORMAT=json \
    CELERY_QUIET=1
WORKDIR /app
COPY --from=packages /venv /venv
COPY . ./
RUN python -m compileall -q .
USER 10001:10001
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
# TRUSTED_PROXIES says whom the server itself believes about the client's address.
CMD ["uvicorn", "config.asgi:application", "--host", "0.0.0.0", "--port", "8000", \
     "--no-proxy-headers", "--no-server-header", "--no-access-log", "--log-level", "warning", \
     "--timeout-keep-alive", "75", "--timeout-graceful-shutdown", "5"]
