import json
import pathlib
import unittest

from colophon import NotVerified, ed25519, verify_record
from colophon.verify import canonical, parse_strict

VECTORS = pathlib.Path(__file__).parents[3] / "internal/record/testdata/provenance.json"


class Ed25519(unittest.TestCase):
    # RFC 8032, section 7.1, tests 1 to 3.
    CASES = [
        ("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
         "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"),
        ("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
         "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"),
        ("fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
         "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"),
    ]

    def test_vectors(self):
        for key, message, signature in self.CASES:
            raw = [bytes.fromhex(x) for x in (key, signature, message)]
            self.assertTrue(ed25519.verify(*raw))
            for i in range(3):
                if raw[i]:
                    changed = list(raw)
                    changed[i] = bytes([raw[i][0] ^ 1]) + raw[i][1:]
                    self.assertFalse(ed25519.verify(*changed), f"part {i} was changed")

    def test_malleable(self):
        key, message, signature = (bytes.fromhex(x) for x in self.CASES[0])
        s = int.from_bytes(signature[32:], "little") + 2**252 + 27742317777372353535851937790883648493
        self.assertFalse(ed25519.verify(key, signature[:32] + s.to_bytes(32, "little"), message), "S beyond the order")

    def test_small_order(self):
        one = (1).to_bytes(32, "little")  # the neutral element: as key and R, with S = 0, it would be valid for every message
        self.assertFalse(ed25519.verify(one, one + bytes(32), b"any"))


class Record(unittest.TestCase):
    FAULTS = {"signature_invalid": "signature", "signature_encoding_invalid": "signature", "key_unknown": "unknown_key"}

    def setUp(self):
        self.vectors = json.loads(VECTORS.read_text())
        self.keys = [k["jwk"] for k in self.vectors["keys"] if "jwk" in k]

    def test_records(self):
        faults = []
        for record in self.vectors["records"]:
            try:
                verify_record(record["record_jcs"], self.keys)
                faults.append(None)
            except NotVerified as error:
                faults.append(error.fault)
                trusted = [{**k, "revoked": None} for k in self.keys]
                verify_record(record["record_jcs"], trusted)
        self.assertIn(None, faults)
        self.assertLessEqual(set(faults), {None, "key_revoked"})

    def test_mutations(self):
        trusted = [{**k, "revoked": None} for k in self.keys]
        for mutation in self.vectors["mutations_of_record_0"]:
            with self.subTest(mutation["name"]):
                if mutation["expect"] == "ok":
                    verify_record(mutation["input"], trusted)
                    continue
                with self.assertRaises(NotVerified) as raised:
                    verify_record(mutation["input"], trusted)
                wanted = self.FAULTS.get(mutation["expect"], "malformed")
                self.assertIn(raised.exception.fault, (wanted, "malformed") if wanted == "signature" else (wanted,))

    def test_key_period(self):
        record = self.vectors["records"][0]["record_jcs"]
        for period in ({"nbf": 4e9}, {"exp": 1}):
            with self.assertRaises(NotVerified) as raised:
                verify_record(record, [{**k, "revoked": None, **period} for k in self.keys])
            self.assertEqual(raised.exception.fault, "key_period")

    def test_forbidden_keys(self):
        for point in self.vectors["forbidden_public_keys"]["hex"]:
            for message in (b"", b"a", b"b", b"c"):
                self.assertFalse(ed25519.verify(bytes.fromhex(point), bytes([1]) + bytes(63), message), point)


class Strict(unittest.TestCase):
    def test_refused(self):
        for text in ('{"a":1,"a":2}', '{"a":1.0}', '{"a":1e3}', '{"a":NaN}', '{"a":9007199254740992}', '{"a":-0}', '{"a":"\\ud800"}', '{"a":1} x', "[]", "", "{" * 5000):
            with self.assertRaises(NotVerified, msg=text) as raised:
                parse_strict(text)
            self.assertEqual(raised.exception.fault, "malformed")

    def test_canonical(self):
        # RFC 8785, section 3.2.3: names are sorted by UTF-16 code units.
        text = '{"\\u20ac":"Euro Sign","\\r":"Carriage Return","\\ufb33":"Hebrew","1":"One","\\ud83d\\ude00":"Emoji","\\u0080":"Control","\\u00f6":"o"}'
        self.assertEqual(list(json.loads(canonical(parse_strict(text)))), ["\r", "1", "\u0080", "ö", "€", "😀", "\ufb33"])


if __name__ == "__main__":
    unittest.main()
