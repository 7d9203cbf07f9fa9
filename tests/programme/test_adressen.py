import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from programme.adressen import VerweigerteAdresse, is_public, parse, require_allowed

PUBLIC = ["8.8.8.8", "93.184.216.34", "172.15.0.1", "172.32.0.1", "2a00:1450:4001::1"]
INTERNAL = [
    "0.0.0.0",  # noqa: S104  nothing is bound to it
    *("0.1.2.3", "10.0.0.1", "100.64.0.1", "100.100.100.200", "127.0.0.1", "127.9.9.9"),
    *("169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.192", "192.168.1.1"),
    *("168.63.129.16", "198.18.0.1", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255"),
    *("::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd00:ec2::254", "ff02::1"),
    *("::ffff:127.0.0.1", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "64:ff9b:1::a00:1"),
    *("2002:7f00:1::", "2001:0:1::1", "2001:db8::1", "fec0::1", "kein.name", ""),
]


@pytest.mark.parametrize("ip", PUBLIC)
def test_public_addresses_may_be_asked(ip):
    assert is_public(ip)


@pytest.mark.parametrize("ip", INTERNAL)
def test_internal_addresses_may_not(ip):
    assert not is_public(ip)


@given(st.ip_addresses())
def test_what_python_knows_as_internal_is_never_public(address):
    if is_public(str(address)):
        assert address.is_global
        assert not address.is_multicast


@given(st.ip_addresses(v=4))
def test_no_ipv4_comes_in_the_clothes_of_ipv6(address):
    number = int(address)
    for clothes in ("::", "::ffff:0:0", "64:ff9b::", "2002::"):
        shift = 80 if clothes == "2002::" else 0
        dressed = ipaddress.IPv6Address(int(ipaddress.IPv6Address(clothes)) + (number << shift))
        assert not is_public(str(dressed))


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("ftp://partei.example/a.pdf", "http"),
        ("file:///etc/passwd", "http"),
        ("javascript:alert(1)", "http"),
        ("//partei.example/a.pdf", "http"),
        ("", "http"),
        ("https://wer:was@partei.example/a.pdf", "Zugangsdaten"),
        ("https://@partei.example/", "Zugangsdaten"),
        ("https:///a.pdf", "fehlt der Rechner"),
        ("https://partei.example:99999/", "keine Internetadresse"),
        ("https://partei.example/a b.pdf", "Leer- oder"),
        ("https://partei.example\\@127.0.0.1/", "Leer- oder"),
        ("https://partei.example/\r\nHost: x", "Leer- oder"),
        (f"https://{'x' * 70}.example/", "keine Internetadresse"),
    ],
)
def test_what_is_no_address_of_a_file_is_refused(url, reason):
    with pytest.raises(VerweigerteAdresse, match=reason):
        parse(url)


@given(st.sampled_from(["", "http://", "https://[", "https://partei.example/"]), st.text())
def test_whatever_is_given_is_refused_or_becomes_plain_letters(before, text):
    try:
        adresse = parse(before + text)
    except VerweigerteAdresse:
        return
    assert adresse.url.isascii()
    assert not set(adresse.url) & set(" \r\n\t\\")
    assert parse(adresse.url) == adresse


def test_letters_that_the_net_does_not_know_are_escaped():
    adresse = parse("https://grüne.example/Grüne%20Wege.pdf?a=ä&b=1#seite=3")
    assert adresse.host == "xn--grne-1ra.example"
    assert adresse.url == ("https://xn--grne-1ra.example:443/Gr%C3%BCne%20Wege.pdf?a=%C3%A4&b=1")


@pytest.mark.parametrize("port", [22, 25, 8080, 5432])
def test_only_the_ports_of_the_web_are_asked(port):
    with pytest.raises(VerweigerteAdresse, match=f"Anschluss {port}"):
        require_allowed("8.8.8.8", port)


def test_the_test_address_is_the_only_exception():
    require_allowed("127.0.0.1", 8099, test_address="127.0.0.1:8099")
    for ip, port in [("127.0.0.1", 8098), ("127.0.0.2", 8099), ("127.0.0.1", 80), ("::1", 8099)]:
        with pytest.raises(VerweigerteAdresse):
            require_allowed(ip, port, test_address="127.0.0.1:8099")
