"""Verification of provenance records and of receipts of rights checks.

A record that verifies is intact and was attested by the registry. That does not
prove ownership and grants nothing.
"""

import base64
import hashlib
import json
import re
from datetime import datetime
from typing import Any

from . import ed25519

_SCHEMA = "service.contentdna-provenance.v1"
_SUITE = "eddsa-ed25519-service-2026"
_RECEIPT = "service.rights-answer.v2"
_SAFE = 2**53 - 1


class NotVerified(Exception):
    """The error of a verification that failed. `fault` is malformed, unknown_key, key_period, key_revoked, signature, other_answer or no_receipt."""

    def __init__(self, fault: str, detail: str = "") -> None:
        super().__init__(f"{fault}: {detail}" if detail else fault)
        self.fault = fault


def verify_record(text: str, keys: list[dict[str, Any]]) -> dict[str, Any]:
    """Verifies a record as it was served and returns it; raises NotVerified.

    A record of a revoked key is refused, even if it was logged before the
    revocation: ask the registry's verify endpoint about such records.
    """
    return verify_document(text, keys, _SCHEMA)


def verify_document(text: str, keys: list[dict[str, Any]], schema: str) -> dict[str, Any]:
    """Verifies a signed document of another schema, such as the list of a release, as verify_record verifies a record."""
    document = parse_strict(text)
    proof = _object(document.get("proof"))
    if document.get("schema_version") != schema or proof.get("cryptosuite") != _SUITE:
        raise NotVerified("malformed", "it is of another schema or suite")
    rest = {name: value for name, value in proof.items() if name != "signature_b64u"}
    signed = f"{_SUITE}\n{schema}\n{canonical({**document, 'proof': rest})}"
    _check(keys, proof.get("key_id"), proof.get("created"), signed, proof.get("signature_b64u"))
    return document


def verify_receipt(text: str, keys: list[dict[str, Any]]) -> dict[str, Any]:
    """Verifies the receipt of a rights answer as it was served and returns the answer; raises NotVerified."""
    answer = parse_strict(text)
    if answer.get("receipt") is None:
        raise NotVerified("no_receipt")
    receipt = _object(answer["receipt"])
    payload = _object(receipt.get("payload"))
    _check(keys, receipt.get("kid"), payload.get("evaluated_at"), f"{_RECEIPT}\n{canonical(payload)}", receipt.get("signature_b64u"))
    digest = hashlib.sha256(canonical({**answer, "receipt": None}).encode()).hexdigest()
    if payload.get("answer_sha256") != digest:
        raise NotVerified("other_answer")
    return answer


def _check(keys: list[dict[str, Any]], key_id: Any, instant: Any, signed: str, signature: Any) -> None:
    if not isinstance(instant, str) or not isinstance(signature, str):
        raise NotVerified("malformed", "an instant or a signature is missing")
    try:
        at = datetime.fromisoformat(instant).timestamp()
    except ValueError:
        raise NotVerified("malformed", f"{instant!r} is no instant") from None
    key = next((k for k in keys if k.get("kid") == key_id), None)
    if key is None or _thumbprint(str(key.get("x"))) != key_id:
        raise NotVerified("unknown_key", str(key_id))
    point, raw = _decode(str(key["x"]), 32), _decode(signature, 64)
    if point is None or raw is None or not ed25519.verify(point, raw, signed.encode()):
        raise NotVerified("signature")
    if not key["nbf"] <= at < key["exp"]:
        raise NotVerified("key_period")
    if key.get("revoked"):
        raise NotVerified("key_revoked")


def _thumbprint(x: str) -> str:
    """Returns the id of an Ed25519 key (RFC 7638 and 8037)."""
    return _encode(hashlib.sha256(f'{{"crv":"Ed25519","kty":"OKP","x":"{x}"}}'.encode()).digest())


def _encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _decode(text: str, length: int) -> bytes | None:
    """Decodes canonical base64url without padding. Returns None for other text, or for another length in bytes."""
    if not re.fullmatch(r"[A-Za-z0-9_-]*", text) or len(text) != -(-length * 4 // 3):
        return None
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    return data if _encode(data) == text else None


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise NotVerified("malformed", "an object is missing")
    return value


def parse_strict(text: str) -> dict[str, Any]:
    """Parses an object that may be signed (RFC 7493): no duplicate members, safe integers only, no lone surrogates, no text after it."""

    def pairs(members: list[tuple[str, Any]]) -> dict[str, Any]:
        out = dict(members)
        if len(out) != len(members):
            raise NotVerified("malformed", "a member stands twice")
        return out

    def integer(digits: str) -> int:
        number = int(digits)
        if abs(number) > _SAFE or digits == "-0":
            raise NotVerified("malformed", f"{digits} is no safe integer")
        return number

    def refuse(token: str) -> Any:
        raise NotVerified("malformed", f"{token} is no integer")

    try:
        text.encode()  # fails for lone surrogates
        value = json.loads(text, object_pairs_hook=pairs, parse_int=integer, parse_float=refuse, parse_constant=refuse)
        canonical(value).encode()  # fails for lone surrogates that were escaped
    except (ValueError, RecursionError) as error:
        raise NotVerified("malformed", str(error)) from None
    return _object(value)


def canonical(value: Any) -> str:
    """Returns the canonical form of a value without fractions (RFC 8785)."""
    if isinstance(value, dict):
        members = sorted(value.items(), key=lambda member: member[0].encode("utf-16-be", "surrogatepass"))
        return "{" + ",".join(f"{canonical(name)}:{canonical(item)}" for name, item in members) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
