"""The canonical form of an address (service.url-key.v1). Like browsers, it accepts more than the strict form.

Host names beyond ASCII are refused, because the standard library lacks UTS 46.
Pass them as A-labels (xn--…).
"""

import hashlib
import re
import unicodedata

_LONGEST = 2048
_LABEL = re.compile(r"[a-z0-9_-]{1,63}")
_NUMBER = re.compile(r"\d*|0x[0-9a-f]*")
_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_PCHAR = _UNRESERVED | frozenset(b"!$&'()*+,;=:@")
_TRACKERS = frozenset(
    "_ga _gl dclid fbclid gbraid gclid gclsrc igshid mc_cid mc_eid mkt_tok msclkid ref_src srsltid twclid wbraid yclid".split()
)


class BadURL(ValueError):
    """An address that cannot be looked up; its text is the registry's code for that."""


def canonical(raw: str) -> str:
    """Returns the canonical form of an http or https address; raises BadURL."""
    text = re.sub(r"[\t\n\r]", "", _bare(raw))
    if not text or len(text.encode("utf-8", "replace")) > 2 * _LONGEST:
        raise BadURL("url_too_long")
    text, _, _ = text.partition("#")
    before, mark, query = text.partition("?")
    found = re.match(r"(https?):[/\\]*([^/\\]*)(.*)", before, re.IGNORECASE | re.DOTALL)
    if not found:
        raise BadURL("url_scheme")
    scheme, authority, path = found[1].lower(), found[2], found[3].replace("\\", "/")
    out = f"{scheme}://{_authority(scheme, authority)}{_dotless(_escape(path, b'/'))}"
    if query:
        out += "?" + _escape(query, b"/?")
    if len(out) > _LONGEST:
        raise BadURL("url_too_long")
    return out


def _bare(text: str) -> str:
    """Removes spaces, control characters and format characters from both ends."""
    first, last = 0, len(text)
    while first < last and _pads(text[first]):
        first += 1
    while last > first and _pads(text[last - 1]):
        last -= 1
    return text[first:last]


def _pads(character: str) -> bool:
    return character.isspace() or unicodedata.category(character) in ("Cc", "Cf")


def _authority(scheme: str, authority: str) -> str:
    if "@" in authority:
        raise BadURL("url_userinfo")
    host, _, port = authority.partition(":")
    host = host.lower().removesuffix(".")
    if not is_host(host):
        raise BadURL("url_host")
    if port == "":
        return host
    if not re.fullmatch(r"[0-9]+", port) or not 1 <= int(port) <= 65535:
        raise BadURL("url_port")
    own = {"http": 80, "https": 443}[scheme]
    return host if int(port) == own else f"{host}:{int(port)}"


def is_host(host: str) -> bool:
    """Reports whether a name is a host name of two labels or more, of which the last is not a number."""
    labels = host.split(".")
    return len(host) <= 253 and len(labels) > 1 and all(map(_LABEL.fullmatch, labels)) and not _NUMBER.fullmatch(labels[-1])


def _escape(text: str, also: bytes) -> str:
    """Returns a path or a query with normalized escapes (RFC 3986, section 6.2.2)."""
    try:
        data = _ESCAPE.sub("%25", text).encode()
    except UnicodeEncodeError:
        raise BadURL("url_forbidden_character") from None
    plain = _PCHAR | frozenset(also)
    out: list[str] = []
    i = 0
    while i < len(data):
        byte, escaped = data[i], data[i] == 0x25
        if escaped:
            byte = int(data[i + 1 : i + 3], 16)
            i += 2
        if byte < 0x20 or byte == 0x7F:
            raise BadURL("url_percent_encoding" if escaped else "url_forbidden_character")
        out.append(chr(byte) if byte in (_UNRESERVED if escaped else plain) else f"%{byte:02X}")
        i += 1
    return "".join(out)


def _dotless(path: str) -> str:
    """Removes dot segments (RFC 3986, section 5.2.4); an empty path is "/"."""
    kept: list[str] = []
    segments = path.split("/")[1:] or [""]
    for n, segment in enumerate(segments):
        if segment == ".." and kept:
            kept.pop()
        if segment not in (".", ".."):
            kept.append(segment)
        elif n == len(segments) - 1:
            kept.append("")
    return "/" + "/".join(kept)


def host_of(address: str) -> str:
    """Returns the host of a canonical address, with its port if it has one."""
    return address.split("/", 3)[2].partition("?")[0]


def other_www(host: str) -> str:
    """Returns a host without its "www.", or with one if it has none; "" if the result is not a host name."""
    other = host.removeprefix("www.") if host.startswith("www.") else "www." + host
    return other if is_host(other.partition(":")[0]) else ""


def same_page(address: str) -> list[str]:
    """Returns the other canonical addresses under which the same page may be registered."""
    scheme, _, rest = address.partition("://")
    authority, _, target = rest.partition("/")
    path, mark, query = ("/" + target).partition("?")
    parameters = [p for p in query.split("&") if not _tracks(p)] if mark else []
    query = "?" + "&".join(parameters) if parameters else ""
    bare = path.rstrip("/")
    paths = [path] if bare == "" else [path, path + "/" if bare == path else bare]
    hosts = [authority] + [other for other in [other_www(authority)] if other]
    schemes = [scheme] if ":" in authority else [scheme, "http" if scheme == "https" else "https"]
    listed = [f"{s}://{h}{p}{query}" for p in paths for h in hosts for s in schemes]
    return [other for other in listed if other != address and len(other) <= _LONGEST]


def _tracks(parameter: str) -> bool:
    name = parameter.partition("=")[0].lower()
    return name in _TRACKERS or name.startswith("utm_")


def lookup_key(kind: str, value: str) -> bytes:
    """Returns the 32 bytes under which the registry files a "url" or a "host"."""
    return hashlib.sha256(f"service.lookup.v1\n{kind}\n{value}".encode()).digest()
