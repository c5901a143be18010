"""Filters for lists and tables of addresses, for those who build data sets."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import IO, Any, Protocol

from .client import BATCH, _batches

_STRICTNESS = ["signal_allow", "unknown", "license_required", "declined", "withdrawn"]


class Checker(Protocol):
    """A source of verdicts for many addresses: a Client or a PrivateLookup."""

    def check_many(self, urls: Iterable[str], *, uses: Iterable[str] = ()) -> Iterator[dict[str, Any]]: ...


@dataclass(frozen=True)
class Decision:
    """The verdict for one use of an address. It grants nothing."""

    url: str
    verdict: str  # signal_allow, license_required, declined, unknown or withdrawn
    reason: str
    sites: tuple[str, ...]  # publishers that registered it
    fault: str = ""  # why the address cannot be looked up

    @property
    def allowed(self) -> bool:
        """Whether the publisher's own signals allow the use. Unknown is not allowed."""
        return self.verdict == "signal_allow"


class Evaluator:
    """Decides for one use whether addresses may be used. It asks a registry live (a Client)
    or reads the files for private look-ups (a PrivateLookup).

    `keep_unknown` lets `filter` keep addresses about which nothing is known. That
    decision is yours: the lack of a statement is not a permission.
    """

    def __init__(self, client: Checker, use: str = "training", *, keep_unknown: bool = False) -> None:
        self.client = client
        self.use = use
        self.keep_unknown = keep_unknown

    def decide(self, urls: Iterable[str]) -> Iterator[Decision]:
        """Yields a decision for each address, in order."""
        for result in self.client.check_many(urls, uses=[self.use]):
            yield _decision(result)

    def is_allowed(self, urls: Iterable[str]) -> list[bool]:
        """Returns for each address whether `filter` keeps it."""
        return [self._keeps(decision) for decision in self.decide(urls)]

    def filter(self, urls: Iterable[str]) -> Iterator[str]:
        """Yields the addresses that may be used, and with `keep_unknown` the unknown ones."""
        for batch in _batches(urls, BATCH):
            yield from (url for url, keep in zip(batch, self.is_allowed(batch), strict=True) if keep)

    def filter_lines(self, source: IO[str], target: IO[str], *, column: str = "url") -> tuple[int, int]:
        """Copies the lines whose address `filter` keeps, and returns how many were kept and read.

        A line is a JSON object with the address in `column`, or an address. A line
        without a usable address is never kept, not even with `keep_unknown`.
        """
        kept = read = 0
        for lines in _batches((line for line in source if line.strip()), BATCH):
            read += len(lines)
            urls = [_address(line.strip(), column) for line in lines]
            for line, keep in zip(lines, self._mask(urls), strict=True):
                if keep:
                    target.write(line if line.endswith("\n") else line + "\n")
                    kept += 1
        return kept, read

    def filter_parquet(self, source: str, target: str, *, column: str = "url") -> tuple[int, int]:
        """Filters the rows of a Parquet file as filter_lines filters lines. It needs pyarrow."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        kept = read = 0
        table = pq.ParquetFile(source)
        if column not in table.schema_arrow.names:
            raise KeyError(f"{source} has no column {column!r}; it has {', '.join(table.schema_arrow.names)}")
        with pq.ParquetWriter(target, table.schema_arrow) as writer:
            for batch in table.iter_batches(batch_size=BATCH):
                urls = [value if isinstance(value, str) else "" for value in batch.column(column).to_pylist()]
                mask = self._mask(urls)
                writer.write_batch(batch.filter(pa.array(mask)))
                kept, read = kept + sum(mask), read + len(mask)
        return kept, read

    def _mask(self, urls: list[str]) -> list[bool]:
        """Returns for each row whether it is kept. A row without an address, given as "", is not."""
        known = [url for url in urls if url]
        allowed = dict(zip(known, self.is_allowed(known), strict=True))
        return [bool(url) and allowed[url] for url in urls]

    def _keeps(self, decision: Decision) -> bool:
        return decision.allowed or self.keep_unknown and decision.verdict == "unknown" and not decision.fault


def _address(line: str, column: str) -> str:
    if not line.startswith("{"):
        return line
    value = json.loads(line).get(column)
    return value.strip() if isinstance(value, str) else ""


def _decision(result: dict[str, Any]) -> Decision:
    """Returns the strictest verdict of the candidates, because several publishers may have registered an address."""
    verdicts = [use for candidate in result["candidates"] for use in candidate["uses"]] or result.get("uses", [])
    strictest = max(verdicts, key=lambda use: _rank(use["verdict"]), default={"verdict": "unknown", "reason": "no_statement"})
    sites = tuple(candidate["site_id"] for candidate in result["candidates"] if "site_id" in candidate)
    return Decision(result["value"], strictest["verdict"], strictest.get("reason", ""), sites, result.get("fault", ""))


def _rank(verdict: str) -> int:
    """Returns how strict a verdict is. A verdict that this version does not know is the strictest."""
    return _STRICTNESS.index(verdict) if verdict in _STRICTNESS else len(_STRICTNESS)
