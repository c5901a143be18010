import hashlib
import json
import pathlib
import unittest

from colophon import NotVerified
from colophon.private import parse_range
from colophon.urlkey import BadURL, canonical, lookup_key, same_page

VECTORS = pathlib.Path(__file__).parents[3] / "internal/record/testdata/provenance.json"


class URLKey(unittest.TestCase):
    def test_vectors(self):
        vectors = json.loads(VECTORS.read_text())["url_key"]["vectors"]
        self.assertEqual(len(vectors), 46)
        # The strict form refuses these, but browsers and the registry accept them.
        accepted = {"url_forbidden_character", "url_percent_encoding", "url_host", "url_port"}
        for vector in vectors:
            text = vector["input"]
            if text.endswith('...(2050 x "a")'):
                text = "https://news.example.com/" + "a" * 2050
            with self.subTest(text[:60]):
                if "canonical" in vector:
                    self.assertEqual(canonical(text), vector["canonical"])
                    self.assertEqual(lookup_key("url", canonical(text)).hex(), vector["url_key"])
                    continue
                try:
                    canonical(text)
                except BadURL as bad:
                    self.assertEqual(str(bad), vector["expect_error"])
                else:
                    self.assertIn(vector["expect_error"], accepted)

    def test_browsers(self):
        for text, want in (
            ("https://A_B.example.com", "https://a_b.example.com/"),
            ("https://-a.example/", "https://-a.example/"),
            ("https://news.example.com./a", "https://news.example.com/a"),
            ("https://news.example.com:0443/", "https://news.example.com/"),
            ("https://news.example.com:08080/", "https://news.example.com:8080/"),
            (" https://news.example.com/a \r\n", "https://news.example.com/a"),
            ("\ufeffhttps://news.example.com/a\u200b", "https://news.example.com/a"),
            ("https://news.exa\tmple.com/a\nb", "https://news.example.com/ab"),
            (r"https:\\news.example.com\a\b?c\d", "https://news.example.com/a/b?c%5Cd"),
            (r"https://news.example.com\@evil.example/", "https://news.example.com/@evil.example/"),
            ("https:news.example.com/a", "https://news.example.com/a"),
            ("https:////news.example.com/a", "https://news.example.com/a"),
            ("https://news.example.com/100%-natural?p=5%", "https://news.example.com/100%25-natural?p=5%25"),
            ("https://news.example.com/%zz%41", "https://news.example.com/%25zzA"),
            ("https://news.example.com/a b?c d", "https://news.example.com/a%20b?c%20d"),
            ("https://xn--bcher-kva.example?q=ü", "https://xn--bcher-kva.example/?q=%C3%BC"),
        ):
            with self.subTest(text):
                self.assertEqual(canonical(text), want)
                self.assertEqual(canonical(want), want)
        for text, code in (
            ("", "url_too_long"),
            ("ftp://news.example/", "url_scheme"),
            ("https://user@news.example/", "url_userinfo"),
            ("https://news/", "url_host"),
            ("https://127.0.0.1/", "url_host"),
            ("https://exa mple.com/", "url_host"),
            ("https://bücher.example/", "url_host"),  # the standard library lacks UTS 46
            ("https://news.example:0/", "url_port"),
            ("https://news.example:8o/", "url_port"),
            ("https://news.example/%00", "url_percent_encoding"),
            ("https://news.example/a\x01b", "url_forbidden_character"),
            ("https://news.example/\ud800", "url_forbidden_character"),
        ):
            with self.subTest(text), self.assertRaises(BadURL) as raised:
                canonical(text)
            self.assertEqual(str(raised.exception), code)

    def test_same_page(self):
        self.assertEqual(
            same_page("https://news.example/a/?utm_source=x&id=1"),
            [
                "https://news.example/a/?id=1", "http://news.example/a/?id=1", "https://www.news.example/a/?id=1", "http://www.news.example/a/?id=1",
                "https://news.example/a?id=1", "http://news.example/a?id=1", "https://www.news.example/a?id=1", "http://www.news.example/a?id=1",
            ],
        )  # fmt: skip
        self.assertEqual(same_page("http://www.news.example:81/"), ["http://news.example:81/"])


class Ranges(unittest.TestCase):
    def file(self, *rows):
        body = b"".join(rows)
        return b"service.range.v1" + len(rows).to_bytes(4, "big") + bytes(4) + body + bytes(4096 - 24 - len(body))

    def test_rows(self):
        mark = hashlib.sha256(b"harbor-ledger").digest()[:6]
        row = bytes(range(16)) + b"ownown" + mark + bytes([0x13, 0x57, 0x92, 0x46])  # LDSUWlds
        want = ["license_required", "declined", "signal_allow", "unknown", "withdrawn", "license_required", "declined", "signal_allow"]
        self.assertEqual(parse_range(self.file(row)), {bytes(range(16)): [(b"ownown", mark, want)]})

    def test_damaged(self):
        row = bytes(28) + bytes([0x11] * 4)
        for data in (b"", b"<html>", self.file(row)[:40], self.file(bytes(28) + bytes([0x01, 0x11, 0x11, 0x11])), self.file(bytes(28) + bytes([0xA1, 0x11, 0x11, 0x11]))):
            with self.assertRaises(NotVerified):
                parse_range(data)


if __name__ == "__main__":
    unittest.main()
