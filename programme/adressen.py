"""Which addresses on the net may be asked for a file (pure)."""

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

PORTS = {"http": 80, "https": 443}
# Everything that is nobody's public server, from the registries of special addresses.
INTERN = [
    ipaddress.IPv4Network(network)
    for network in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # behind a provider's translation
        "127.0.0.0/8",  # this machine
        "168.63.129.16/32",  # a cloud's own service under a public number
        "169.254.0.0/16",  # link-local, with the clouds' metadata
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocols
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",  # private
        "198.18.0.0/15",  # measuring
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, and broadcast
    )
]
# Of IPv6 only what is given out as public: the rest holds this machine, link-local and local
# networks, multicast, and IPv4 in other clothes (mapped, NAT64).
OEFFENTLICH = ipaddress.IPv6Network("2000::/3")
INTERN_6 = [
    ipaddress.IPv6Network(network)
    for network in (
        "2001::/23",  # protocols, Teredo among them
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4
        "3fff::/20",  # documentation
    )
]
_HOST = re.compile(r"[a-z0-9._-]+|[0-9a-f:.]+")
_SPECIAL = re.compile(r"[\x00-\x20\x7f-\x9f\\]")


class VerweigerteAdresse(ValueError):
    """Not to be asked; the message is German."""


@dataclass(frozen=True)
class Adresse:
    scheme: str
    host: str
    port: int
    url: str


def parse(url: str) -> Adresse:
    """The address with everything but letters of the net escaped. Raises VerweigerteAdresse."""
    if _SPECIAL.search(url):
        raise VerweigerteAdresse("Die Adresse enthält Leer- oder Steuerzeichen.")
    try:
        parts = urlsplit(url)
        port = parts.port
        host = (parts.hostname or "").encode("idna").decode().lower().rstrip(".")
    except ValueError:
        raise VerweigerteAdresse("Die Adresse ist keine Internetadresse.") from None
    if parts.scheme not in PORTS:
        raise VerweigerteAdresse("Nur http und https sind erlaubt.")
    if "@" in parts.netloc:
        raise VerweigerteAdresse("Eine Adresse mit Zugangsdaten ist nicht erlaubt.")
    if not host:
        raise VerweigerteAdresse("In der Adresse fehlt der Rechner.")
    if not _HOST.fullmatch(host):
        raise VerweigerteAdresse("Der Name des Rechners enthält unerlaubte Zeichen.")
    port = PORTS[parts.scheme] if port is None else port
    path = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~")
    query = f"?{quote(parts.query, safe='/?%:@!$&()*+,;=~')}" if parts.query else ""
    named = f"[{host}]" if ":" in host else host
    return Adresse(parts.scheme, host, port, f"{parts.scheme}://{named}:{port}{path}{query}")


def require_allowed(ip: str, port: int, *, test_address: str = "") -> None:
    """Raises VerweigerteAdresse; `test_address` is the one exception, as "127.0.0.1:8099"."""
    if test_address and f"{ip}:{port}" == test_address:
        return
    if port not in PORTS.values():
        raise VerweigerteAdresse(f"Der Anschluss {port} ist nicht erlaubt (nur 80 und 443).")
    if not is_public(ip):
        raise VerweigerteAdresse(f"{ip} ist keine öffentliche Adresse.")


def is_public(ip: str) -> bool:
    try:
        address = ipaddress.ip_address(ip)
    except ValueError:
        return False
    if isinstance(address, ipaddress.IPv4Address):
        return not any(address in network for network in INTERN)
    return (
        not address.scope_id
        and address in OEFFENTLICH
        and not any(address in network for network in INTERN_6)
    )
