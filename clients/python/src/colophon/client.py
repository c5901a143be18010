"""Calls of the public API over HTTP, with the standard library alone."""

import json
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterable, Iterator
from typing import Any

BATCH = 1000
"""The maximum number of keys in one call."""

_RETRIED = {429, 500, 502, 503, 504}
_LONGEST_WAIT = 30.0


class Problem(Exception):
    """An error from the registry (RFC 9457). `code` is stable; `status` is the HTTP status, or 0 without an answer."""

    def __init__(self, status: int, code: str, detail: str, retry_after: float | None = None) -> None:
        super().__init__(f"{code}: {detail}" if detail else code)
        self.status = status
        self.code = code
        self.detail = detail
        self.retry_after = retry_after


class Client:
    """A client of the registry at `base`, such as https://registry.example.

    A call that fails temporarily is made at most `attempts` times. If the registry
    asks for a wait of more than 30 seconds between them, the call raises Problem.
    """

    def __init__(self, base: str, *, timeout: float = 30, attempts: int = 4, user_agent: str = "colophon-client-python/0.1") -> None:
        scheme = urllib.parse.urlsplit(base).scheme
        if scheme not in ("http", "https"):
            raise ValueError(f"{base!r} is no http or https address")
        self.base = base.rstrip("/")
        self.timeout = timeout
        self.attempts = max(1, attempts)
        self.user_agent = user_agent

    def text(self, path: str, query: dict[str, Any] | None = None) -> str:
        """Returns a document as it was served, for verification."""
        return self._call("GET", path, query, None).decode("utf-8")

    def read(self, path: str) -> bytes:
        """Returns a file as it was served."""
        return self._call("GET", path, None, None)

    def walk(self, path: str, query: dict[str, Any] | None = None) -> Iterator[dict[str, Any]]:
        """Yields the items of a list, page after page."""
        wanted = dict(query or {})
        while True:
            page = self.get(path, wanted)
            yield from page["data"]
            wanted["cursor"] = page["page"]["next_cursor"]
            if not wanted["cursor"]:
                return

    def get(self, path: str, query: dict[str, Any] | None = None) -> Any:
        """Returns the JSON at a path. A list in the query repeats its name."""
        return json.loads(self._call("GET", path, query, None))

    def check(
        self, url: str = "", *, iscc: str = "", fingerprint: str = "", uses: Iterable[str] = (), territory: str = "", user_type: str = "", agent: str = ""
    ) -> dict[str, Any]:
        """Asks for the verdicts of one address, or of one content by its ISCC or portable fingerprint, with reasons, evidence and a receipt."""
        query: dict[str, Any] = {
            "url": url, "iscc": iscc, "fingerprint": fingerprint, "use": list(uses), "territory": territory, "user_type": user_type, "agent": agent,
        }
        return self.get("/v1/public/rights/check", {name: value for name, value in query.items() if value})

    def check_many(self, keys: Iterable[str], *, kind: str = "urls", uses: Iterable[str] = ()) -> Iterator[dict[str, Any]]:
        """Yields one result for each key, in order: addresses, or what else `kind` names (`isccs`, `fingerprints`, `entry_ids`).

        One call asks about up to 1,000 keys.
        """
        wanted = list(uses)
        for batch in _batches(keys, BATCH):
            body: dict[str, Any] = {kind: batch}
            if wanted:
                body["uses"] = wanted
            answer = json.loads(self._call("POST", "/v1/public/rights/check-batch", None, json.dumps(body).encode()))
            results = answer["results"]
            if len(results) != len(batch):
                raise Problem(200, "answer_incomplete", f"{len(results)} results for {len(batch)} {kind}")
            yield from results

    def record(self, entry_id: str) -> str:
        """Returns the newest signed record of an entry, as text for `verify_record`."""
        return self.text(f"/v1/public/contentdna-provenance/{urllib.parse.quote(entry_id, safe='')}")

    def keys(self) -> list[dict[str, Any]]:
        """Returns the public keys of the registry."""
        return self.get("/.well-known/service-provenance-keys.json")["keys"]

    def _call(self, method: str, path: str, query: dict[str, Any] | None, body: bytes | None) -> bytes:
        address = self.base + path
        if query:
            address += "?" + urllib.parse.urlencode(query, doseq=True)
        headers = {"Accept": "application/json", "User-Agent": self.user_agent}
        if body is not None:
            headers["Content-Type"] = "application/json"
        for attempt in range(1, self.attempts + 1):
            request = urllib.request.Request(address, data=body, headers=headers, method=method)
            try:
                with urllib.request.urlopen(request, timeout=self.timeout) as response:
                    return response.read()
            except urllib.error.HTTPError as error:
                problem = _problem(error)
                wait = problem.retry_after if problem.retry_after is not None else 0.5 * 2**attempt
                if problem.status not in _RETRIED or attempt == self.attempts or wait > _LONGEST_WAIT:
                    raise problem from None
            except (urllib.error.URLError, TimeoutError, ConnectionError) as error:
                wait = 0.5 * 2**attempt
                if attempt == self.attempts:
                    raise Problem(0, "unreachable", f"{address}: {getattr(error, 'reason', error)}") from error
            time.sleep(wait)
        raise AssertionError("unreachable")


def _problem(error: urllib.error.HTTPError) -> Problem:
    """Returns the Problem for an HTTP error, with the code and the detail of its body if that is a problem."""
    code, detail = f"http_{error.code}", error.reason
    try:
        said = json.loads(error.read())
        code, detail = said.get("code", code), said.get("detail") or said.get("title", detail)
    except (ValueError, AttributeError, OSError):
        pass  # the body is not a problem: a proxy may have answered
    try:
        retry_after = float(error.headers.get("Retry-After", ""))
    except ValueError:
        retry_after = None
    return Problem(error.code, code, detail, retry_after)


def _batches(items: Iterable[str], size: int) -> Iterator[list[str]]:
    batch: list[str] = []
    for item in items:
        batch.append(item)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch
