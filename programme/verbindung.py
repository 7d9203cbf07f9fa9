"""The connection of a fetch: to a checked address, and with an end."""

import ssl
import time
from collections.abc import Iterable
from typing import Any

import httpcore2


class ZeitUm(Exception):
    """The time for the whole fetch is used up."""


class Angeheftet(httpcore2.SyncBackend):
    """Connects to the addresses that were checked, whatever the name means by now."""

    def __init__(self, ips: list[str], ende: float) -> None:
        self.ips, self.ende = ips, ende

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        failure: Exception = httpcore2.ConnectError()
        for ip in self.ips:
            try:
                rest = _rest(self.ende, timeout)
                stream = super().connect_tcp(ip, port, rest, local_address, socket_options)
                return _Befristet(stream, self.ende)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
        raise failure


class _Befristet(httpcore2.NetworkStream):
    """A stream that ends with the time for the whole fetch, however slowly it trickles."""

    def __init__(self, stream: httpcore2.NetworkStream, ende: float) -> None:
        self.stream, self.ende = stream, ende

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self.stream.read(max_bytes, _rest(self.ende, timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self.stream.write(buffer, _rest(self.ende, timeout))

    def close(self) -> None:
        self.stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore2.NetworkStream:
        timeout = _rest(self.ende, timeout)
        return _Befristet(self.stream.start_tls(ssl_context, server_hostname, timeout), self.ende)

    def get_extra_info(self, info: str) -> Any:
        return self.stream.get_extra_info(info)


def _rest(ende: float, timeout: float | None) -> float:
    rest = ende - time.monotonic()
    if rest <= 0:
        raise ZeitUm
    return min(rest, timeout or rest)


def system_tls() -> ssl.SSLContext:
    """The system's authorities; names are checked."""
    return httpcore2.default_ssl_context()
