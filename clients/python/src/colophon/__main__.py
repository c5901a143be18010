"""The command line: python -m colophon --base https://registry.example check URL…"""

import argparse
import json
import os
import sys

from . import Client, Evaluator, NotVerified, PrivateLookup, Problem, verify_record


def main(args: list[str] | None = None) -> int:
    """Runs a command. Returns 0, or 1 if it failed or an address is not allowed; exits with 2 if it was called wrongly."""
    parser = argparse.ArgumentParser(prog="python -m colophon", description="Ask a Colophon registry. Nothing that it answers grants rights.")
    parser.add_argument("--base", default=os.environ.get("COLOPHON_BASE", ""), help="address of the registry (default: $COLOPHON_BASE)")
    commands = parser.add_subparsers(dest="command", required=True)
    check = commands.add_parser("check", help="tell the verdict for each URL; exit code 1 unless all are allowed")
    check.add_argument("urls", nargs="+", metavar="URL")
    check.add_argument("--use", default="training")
    check.add_argument("--json", action="store_true")
    keep = commands.add_parser("filter", help="copy what has an address that may be used: JSON lines or addresses from standard input, or Parquet files")
    keep.add_argument("files", nargs="*", metavar="FILE", help="Parquet file to read, and the one to write")
    keep.add_argument("--use", default="training")
    keep.add_argument("--column", default="url")
    keep.add_argument("--keep-unknown", action="store_true", help="keep rows of which nothing is known, too")
    for asks in (check, keep):
        asks.add_argument("--private", action="store_true", help="look up in files of many keys: the registry does not learn the addresses")
    verify = commands.add_parser("verify", help="verify the newest record of an entry")
    verify.add_argument("entry", metavar="ENTRY_ID")
    given = parser.parse_args(args)
    if not given.base:
        parser.error("give --base or set COLOPHON_BASE")
    if given.command == "filter" and len(given.files) not in (0, 2):
        parser.error("filter takes two Parquet files, or none")
    try:
        return _run(given, Client(given.base))
    except (Problem, NotVerified, KeyError, OSError, ValueError, ImportError) as error:
        print(f"colophon: {error}", file=sys.stderr)
        return 1


def _run(given: argparse.Namespace, client: Client) -> int:
    if given.command == "verify":
        record = verify_record(client.record(given.entry), client.keys())
        print(f"intact, and attested by this registry: {record['canonical_url']}")
        return 0
    checker = PrivateLookup(client) if given.private else client
    if given.command == "check":
        decisions = list(Evaluator(checker, given.use).decide(given.urls))
        for d in decisions:
            if given.json:
                print(json.dumps({"url": d.url, "use": given.use, "verdict": d.verdict, "reason": d.reason, "sites": d.sites, "fault": d.fault}))
            else:
                print(f"{d.verdict:<17} {d.url}  {d.fault or d.reason}  {', '.join(d.sites)}".rstrip())
        return 0 if all(d.allowed for d in decisions) else 1
    evaluator = Evaluator(checker, given.use, keep_unknown=given.keep_unknown)
    if given.files:
        kept, read = evaluator.filter_parquet(*given.files, column=given.column)
    else:
        kept, read = evaluator.filter_lines(sys.stdin, sys.stdout, column=given.column)
    print(f"{kept} of {read} rows kept", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
