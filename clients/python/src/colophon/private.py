"""Private look-ups: the client reads files of many keys, so that the registry learns only the first bits of a key."""

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any

from . import urlkey
from .client import Client
from .verify import NotVerified, verify_document

USES = ("rag", "training", "fine_tuning", "search_indexing", "summarization", "datasets", "syndication", "research")
"""The uses, in the order of a rights vector."""

_MAGIC = b"service.range.v1"
_VERDICTS = ("", "license_required", "license_required", "declined", "declined", "signal_allow", "signal_allow", "unknown", "unknown", "withdrawn")
_KEPT = 4096  # files in memory
_MAP = "/v1/public/ai-rights-map"

_Row = tuple[bytes, bytes, list[str]]  # the entry's own bytes, the site's mark, and a verdict for each use


class PrivateLookup:
    """Answers like `Client.check_many`, from the published files for private look-ups.

    The constructor verifies the list of files, which says how many bits of a key
    name its file. The registry learns these bits only; at least 1,000 registered
    pages share them if there are that many. The other spellings of an address are
    looked up only if a publisher proved control of its host. The verdicts are those
    of the release, without reasons; a live check may know more.
    """

    def __init__(self, client: Client) -> None:
        self.client = client
        listed = verify_document(client.text("/v1/public/release.json"), client.keys(), "service.release.v1")
        ranges = listed["ranges"]
        self._bits = {"url": int(ranges["url_bits"]), "host": int(ranges["host_bits"])}
        if not all(0 <= bits <= 16 for bits in self._bits.values()):
            raise NotVerified("malformed", "ranges")
        self._sites = {_mark(publisher["site_id"]): publisher["site_id"] for publisher in client.walk(_MAP)}
        self._files: dict[str, dict[bytes, list[_Row]]] = {}

    def check_many(self, urls: Iterable[str], *, uses: Iterable[str] = ()) -> Iterator[dict[str, Any]]:
        """Yields one result for each address, in order."""
        wanted = list(uses) or list(USES)
        for use in wanted:
            if use not in USES:
                raise ValueError(f"{use!r} is none of {', '.join(USES)}")
        for url in urls:
            try:
                address = urlkey.canonical(url)
            except urlkey.BadURL as bad:
                yield {"value": url, "candidates": [], "fault": str(bad)}
                continue
            yield {"value": url, "candidates": [self._candidate(row, wanted) for row in self._rows(address)]}

    def _rows(self, address: str) -> list[_Row]:
        """Returns the rows of a page: those of its address, else those of its other spellings, else those of its host."""
        rows = self._find("url", address)
        if rows:
            return rows
        host = urlkey.host_of(address)
        own = self._find("host", host)
        other = urlkey.other_www(host)
        of_host = own or (self._find("host", other) if other else [])
        if not of_host:
            return []
        marks = {row[1] for row in own}
        for spelling in urlkey.same_page(address):
            found = self._find("url", spelling)
            if marks and urlkey.host_of(spelling) != host:  # keep the rows of those who proved control of host
                found = [row for row in found if row[1] in marks]
            rows += found
        return rows or of_host

    def _candidate(self, row: _Row, uses: list[str]) -> dict[str, Any]:
        _, mark, verdicts = row
        told = [{"use": use, "verdict": verdicts[USES.index(use)], "reason": "rights_vector"} for use in uses]
        candidate: dict[str, Any] = {"uses": told}
        if mark in self._sites:  # a publisher that is newer than the map is missing
            candidate["site_id"] = self._sites[mark]
        return candidate

    def _find(self, kind: str, value: str) -> list[_Row]:
        """Returns the rows of a key from its file."""
        key, bits = urlkey.lookup_key(kind, value), self._bits[kind]
        part = int.from_bytes(key[:4], "big") >> (32 - bits)
        name = f"/v1/public/range/{kind}/{part:0{max(1, (bits + 3) // 4)}x}"
        if name not in self._files:
            if len(self._files) >= _KEPT:
                self._files.clear()
            self._files[name] = parse_range(self.client.read(name))
        return list(self._files[name].get(key[:16], []))


def _mark(site_id: str) -> bytes:
    return hashlib.sha256(site_id.encode()).digest()[:6]


def parse_range(data: bytes) -> dict[bytes, list[_Row]]:
    """Parses a file for private look-ups. Returns its rows by the first half of their keys."""
    head, size = len(_MAGIC) + 8, 32
    count = int.from_bytes(data[len(_MAGIC) : len(_MAGIC) + 4], "big")
    if not data.startswith(_MAGIC) or len(data) < head + size * count:
        raise NotVerified("malformed", "a file for private look-ups is damaged")
    rows: dict[bytes, list[_Row]] = {}
    for at in range(head, head + size * count, size):
        row = data[at : at + size]
        letters = [half for byte in row[28:] for half in (byte >> 4, byte & 15)]
        if not all(1 <= letter < len(_VERDICTS) for letter in letters):
            raise NotVerified("malformed", "a rights vector")
        rows.setdefault(row[:16], []).append((row[16:22], row[22:28], [_VERDICTS[letter] for letter in letters]))
    return rows
