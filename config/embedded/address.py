"""Where the server listens: whether that is free, and whether it answers there."""

import http.client
import socket
from dataclasses import dataclass
from typing import Self

from config.embedded.process import Problem

ANY = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  # nosec B104


@dataclass(frozen=True)
class Address:
    host: str
    port: int

    @classmethod
    def named(cls, host: str, port: str) -> Self:
        """From the user's settings, where "" stands for the default. Raises Problem."""
        port = port or "8000"
        if not (port.isascii() and port.isdecimal() and 1 <= int(port) <= 65_535):
            raise Problem(f"PORT must be a number from 1 to 65535, not {port!r}.")
        return cls(host or "127.0.0.1", int(port))

    @property
    def reached_at(self) -> str:
        """The host by which this machine reaches it."""
        return ANY.get(self.host, self.host)

    @property
    def url(self) -> str:
        host = f"[{self.reached_at}]" if ":" in self.reached_at else self.reached_at
        return f"http://{host}:{self.port}"

    def check_free(self) -> None:
        """Raises Problem where nothing can listen."""
        try:
            self._listen_once()
        except (socket.gaierror, UnicodeError):
            raise Problem(f"HOST={self.host} is no address of this machine.") from None
        except PermissionError:
            raise Problem(f"Port {self.port} needs more rights: try another, as PORT=8000.") from None
        except OSError as error:
            another = self.port + 1 if self.port < 65_535 else 8000
            raise Problem(
                f"Can't listen at {self.host}, port {self.port}: {error.strerror}. "
                f"Try another port, as in `make run PORT={another}`."
            ) from None

    def _listen_once(self) -> None:
        found = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = found[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
            probe.listen(1)

    def ready(self) -> bool:
        """Whether requests can be served; the bus and the sweeps may come later."""
        connection = http.client.HTTPConnection(self.reached_at, self.port, timeout=5)
        try:
            connection.request("GET", "/readyz?checks=database,migrations")
            return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()
