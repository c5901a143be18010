"""A client of a Colophon registry. Nothing that a registry answers grants rights."""

from .client import Client, Problem
from .filters import Decision, Evaluator
from .private import PrivateLookup
from .verify import NotVerified, verify_receipt, verify_record

__all__ = ["Client", "Decision", "Evaluator", "NotVerified", "PrivateLookup", "Problem", "verify_receipt", "verify_record"]
