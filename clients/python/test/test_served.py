"""Tests against a running registry. COLOPHON_BASE is the address of a demo, which `make test-python` serves."""

import contextlib
import io
import json
import os
import pathlib
import re
import sys
import unittest
from unittest import mock

from colophon import Client, Evaluator, NotVerified, PrivateLookup, Problem, verify_receipt, verify_record
from colophon.__main__ import main

BASE = os.environ.get("COLOPHON_BASE", "")
PAGE = "https://harbor-ledger.example/shipping/tide-tables-2026"
ALLOWED = "https://patchwork-manual.example/postmortems/postmortem-backups"  # training
ENTRY = "ent_5ba1cbb533fb86532020cdd9"


@unittest.skipUnless(BASE, "COLOPHON_BASE is not set")
class Served(unittest.TestCase):
    def setUp(self):
        self.client = Client(BASE)

    def test_check(self):
        answer = self.client.check(PAGE, uses=["training"])
        self.assertEqual(answer["candidates"][0]["site_id"], "harbor-ledger")
        self.assertFalse(answer["grants_rights"])

    def test_content(self):
        digest = json.loads(self.client.record(ENTRY))["fingerprints"]["portable"]["digest"]
        code = "ISCC:EADTJCW2DT555KK6DEQAR5DQT7VYJGZM6CXHG3BM56WOMQDDVS7754I"
        self.assertEqual(self.client.check(fingerprint=digest)["candidates"][0]["entry_id"], ENTRY)
        self.assertEqual(self.client.check(iscc=code)["query"]["key"], "iscc")
        [known, other] = self.client.check_many([digest, "0" * 64], kind="fingerprints", uses=["training"])
        self.assertEqual((known["candidates"][0]["entry_id"], other["candidates"]), (ENTRY, []))
        self.assertEqual([r["key"] for r in self.client.check_many([code, code], kind="isccs")], ["iscc", "iscc"])
        with self.assertRaises(Problem) as raised:
            self.client.check()
        self.assertEqual(raised.exception.code, "lookup_key_required")

    def test_receipt(self):
        text = self.client.text("/v1/public/rights/check", {"url": PAGE, "use": "training"})
        keys = self.client.keys()
        self.assertEqual(verify_receipt(text, keys)["candidates"][0]["entry_id"], ENTRY)
        with self.assertRaises(NotVerified) as raised:
            verify_receipt(text.replace('"answered_by":"origin"', '"answered_by":"files"'), keys)
        self.assertEqual(raised.exception.fault, "other_answer")

    def test_record(self):
        keys = self.client.keys()
        text = self.client.record(ENTRY)
        self.assertEqual(verify_record(text, keys)["canonical_url"], PAGE)
        with self.assertRaises(NotVerified) as raised:
            verify_record(text, [{**k, "revoked": True} for k in keys])
        self.assertEqual(raised.exception.fault, "key_revoked")
        with self.assertRaises(NotVerified) as raised:
            verify_record(text, [])
        self.assertEqual(raised.exception.fault, "unknown_key")

    def test_many_agree_with_single(self):
        urls = [f"https://nowhere.example/{n}" for n in range(1005)] + [PAGE, "nonsense"]
        decisions = list(Evaluator(self.client, "training").decide(urls))
        self.assertEqual([d.url for d in decisions], urls)
        single = self.client.check(PAGE, uses=["training"])["candidates"][0]["uses"][0]
        self.assertEqual((decisions[-2].verdict, decisions[-2].sites), (single["verdict"], ("harbor-ledger",)))
        self.assertTrue(decisions[-1].fault)
        self.assertEqual({d.verdict for d in decisions[:1005]}, {"unknown"})

    def test_private(self):
        feed = [item["url"] for item in self.client.walk("/v1/licensing-marketplace/publishers/harbor-ledger/content-inventory")]
        feed += [item["url"] for item in self.client.get("/v1/public/licensing-feed", {"limit": 100})["data"]]
        urls = [*feed, PAGE.upper().replace("HARBOR-LEDGER.EXAMPLE/SHIPPING/TIDE-TABLES-2026", "www.harbor-ledger.example/shipping/tide-tables-2026?utm_source=x")]
        urls += ["https://harbor-ledger.example/not-registered", "https://nowhere.example/", "nonsense"]
        asked = []

        class Watched(Client):
            def _call(self, method, path, query, body):
                asked.append((method, path, query))
                return super()._call(method, path, query, body)

        private = PrivateLookup(Watched(BASE))
        asked.clear()
        found = list(Evaluator(private, "training").decide(urls))
        self.assertGreater(len(feed), 100)
        self.assertEqual([(method, query) for method, _, query in asked], [("GET", None)] * len(asked))
        self.assertLessEqual({path for _, path, _ in asked}, {"/v1/public/range/url/" + bits for bits in "0123456789abcdef"} | {"/v1/public/range/host/0"})
        for told, live in zip(found, Evaluator(self.client, "training").decide(urls), strict=True):
            with self.subTest(live.url):
                self.assertEqual((told.verdict, sorted(told.sites), bool(told.fault)), (live.verdict, sorted(live.sites), bool(live.fault)))

    def test_filter(self):
        rows = [{"url": PAGE}, {"url": "https://nowhere.example/"}, {"url": "nonsense"}, {"text": "none"}, {"url": 7}, {"url": ALLOWED}]
        lists = {
            "JSON": ("url", [json.dumps(row) for row in rows]),
            "another column": ("URL", [json.dumps({"URL": row.get("url"), "TEXT": "x"}) for row in rows]),
            "addresses": ("url", [PAGE, "https://nowhere.example/", "nonsense", "[]", "7", ALLOWED]),
        }
        for name, (column, lines) in lists.items():
            for keep_unknown, kept in ((False, [lines[5]]), (True, [lines[1], lines[5]])):
                with self.subTest(name, keep_unknown=keep_unknown):
                    out = io.StringIO()
                    counts = Evaluator(self.client, "training", keep_unknown=keep_unknown).filter_lines(io.StringIO("\n\n".join(lines)), out, column=column)
                    self.assertEqual((out.getvalue().splitlines(), counts), (kept, (len(kept), 6)))

    def test_problem(self):
        with self.assertRaises(Problem) as raised:
            self.client.check(PAGE, uses=["no_such_use"])
        self.assertIn(raised.exception.status, (400, 422))
        self.assertTrue(raised.exception.code)
        with self.assertRaises(Problem) as raised:
            Client("http://127.0.0.1:9", attempts=1).keys()
        self.assertEqual(raised.exception.code, "unreachable")

    def test_guide(self):
        guide = (pathlib.Path(__file__).parents[3] / "site/docs/python.md").read_text().replace("http://127.0.0.1:8787", BASE)
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec("\n".join(re.findall(r"```py\n(.*?)```", guide, re.S)), {})  # each block uses the names of the earlier ones
        for line in ("harbor-ledger training declined", PAGE + " declined ('harbor-ledger',)", f"privately: {PAGE} declined", "intact, and attested by this registry: " + PAGE):
            self.assertIn(line, out.getvalue())

    def test_command_line(self):
        def run(*args):
            out, err = io.StringIO(), io.StringIO()
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                try:
                    code = main(["--base", BASE, *args])
                except SystemExit as end:
                    code = end.code
            return code, out.getvalue(), err.getvalue()

        code, out, _ = run("check", PAGE, "https://nowhere.example/")
        self.assertEqual((code, out.splitlines()[0].split()[0], out.splitlines()[1].split()[0]), (1, "declined", "unknown"))
        code, out, _ = run("check", "--json", PAGE)
        self.assertEqual(json.loads(out)["sites"], ["harbor-ledger"])
        self.assertEqual(run("check", "--private", PAGE, "https://nowhere.example/")[1].splitlines()[0].split()[0], "declined")
        self.assertEqual(run("verify", ENTRY)[:2], (0, f"intact, and attested by this registry: {PAGE}\n"))
        code, out, err = run("verify", "ent_000000000000000000000000")
        self.assertEqual((code, out), (1, ""))
        self.assertIn("colophon: ", err)
        self.assertEqual(run("filter", "one.parquet")[0], 2)
        with mock.patch.dict(sys.modules, {"pyarrow": None}):
            code, _, err = run("filter", "one.parquet", "two.parquet")
        self.assertEqual((code, "pyarrow" in err), (1, True))


if __name__ == "__main__":
    unittest.main()
