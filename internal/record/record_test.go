package record_test

import (
	"encoding/hex"
	"errors"
	"testing"

	"github.com/gowebpki/jcs"

	"colophon/exports"
	"colophon/internal/canonicaltext"
	"colophon/internal/outcome"
	provrecord "colophon/internal/record"
	"colophon/internal/urlkey"
	"colophon/internal/wire"
)

func TestRecordVectors(t *testing.T) {
	v := loadVectors(t)
	if v.SigningContext != provrecord.SigningContext {
		t.Fatalf("signing context %q", v.SigningContext)
	}
	for _, c := range v.Records {
		t.Run(c.Name, func(t *testing.T) {
			record := parse(t, c.RecordJCS)
			if got := string(record.Append(nil)); got != c.RecordJCS {
				t.Errorf("canonical bytes\n got %s\nwant %s", got, c.RecordJCS)
			}
			if other, err := jcs.Transform([]byte(c.RecordJCS)); err != nil || string(other) != c.RecordJCS {
				t.Errorf("another JCS gives %s, %v", other, err)
			}
			input := provrecord.SigningInput(record)
			if string(input) != c.SigningInput || sum(string(input)) != c.SigningInputSHA256 {
				t.Errorf("signing input\n got %q\nwant %q", input, c.SigningInput)
			}
			if got := provrecord.RecordSHA256([]byte(c.RecordJCS)); got != c.RecordSHA256 {
				t.Errorf("record_sha256 %s, want %s", got, c.RecordSHA256)
			}
			text, err := canonicaltext.CanonicalText(c.SourceText)
			if err != nil || text != c.CanonicalText {
				t.Errorf("canonical text %q, %v", text, err)
			}
		})
	}
}

func TestSignVectors(t *testing.T) {
	v := loadVectors(t)
	for _, c := range v.Records {
		t.Run(c.Name, func(t *testing.T) {
			signer := v.signer(t, c.SigningKey)
			if signer.KeyID() != c.KeyID {
				t.Fatalf("key id %s, want %s", signer.KeyID(), c.KeyID)
			}
			record := parse(t, c.RecordJCS)
			created := record.Get("proof").Get("created")
			unsigned := record.With("proof", wire.Object(wire.M("created", *created)))
			signed, err := provrecord.Sign(signer, unsigned)
			if err != nil || string(signed.Append(nil)) != c.RecordJCS {
				t.Fatalf("Sign = %s, %v; want %s", signed.Append(nil), err, c.RecordJCS)
			}
			raw, err := signer.Sign([]byte(c.SigningInput))
			if err != nil || hex.EncodeToString(raw) != c.SignatureHex {
				t.Errorf("signature %x, %v; want %s", raw, err, c.SignatureHex)
			}
		})
	}
}

func TestSignRefuses(t *testing.T) {
	v := loadVectors(t)
	signer := v.signer(t, "rfc8032-test2")
	for name, record := range map[string]string{
		"no proof":        `{"a":1}`,
		"no created":      `{"proof":{}}`,
		"created no time": `{"proof":{"created":"yesterday"}}`,
	} {
		if _, err := provrecord.Sign(signer, parse(t, record)); err != outcome.CreatedNotAnInstant {
			t.Errorf("%s: %v", name, err)
		}
	}
	record := parse(t, v.Records[0].RecordJCS)
	if _, err := provrecord.Sign(brokenSigner{}, record); !errors.Is(err, errBroken) {
		t.Errorf("a signer's error was lost: %v", err)
	}
	if _, err := provrecord.Sign(brokenSigner{short: true}, record); err != outcome.SignerFailed {
		t.Errorf("a short signature: %v", err)
	}
	for _, size := range []int{0, 31, 33, 64} {
		if _, err := provrecord.NewSigner(make([]byte, size)); err != outcome.KeyMalformed {
			t.Errorf("a seed of %d bytes: %v", size, err)
		}
	}
}

var errBroken = errors.New("no key at hand")

type brokenSigner struct{ short bool }

func (brokenSigner) KeyID() string { return "broken" }

func (s brokenSigner) Sign([]byte) ([]byte, error) {
	if s.short {
		return make([]byte, 63), nil
	}
	return nil, errBroken
}

// exampleRecord returns a complete record of the published type.
func exampleRecord() *exports.Record {
	const page = "https://news.example.com/a"
	digest := sum("text")
	id := urlkey.EntryID("site_0042", page)
	return &exports.Record{
		PublisherID: "pub_0007", SiteID: "site_0042", EntryID: id, CanonicalURL: page, Version: 1,
		Source:   exports.Source{Title: "A “title” <script>", Language: "en", Extraction: "publisher-supplied-text"},
		Portable: digest, Registry: urlkey.RegistryDigest("site_0042", id, page, digest),
		Passport: exports.Passport{
			PassportID: "rp_1", Version: 1, HolderName: "News", HolderBasis: exports.PassportBases[0], RightsVector: "UUUUUUUU",
			CurrentURL: "https://svc.example/v1/public/rights/check?entry_id=" + id, AsOf: "2026-11-21T09:00:00Z",
		},
		Proof: exports.Proof{Created: "2026-11-21T09:00:00Z"},
	}
}

// TestSignRecord checks that the published type and the generic value sign to
// the same bytes, and that these verify.
func TestSignRecord(t *testing.T) {
	v := loadVectors(t)
	signer, record := v.signer(t, "rfc8032-test2"), exampleRecord()
	published, err := provrecord.SignRecord(signer, record)
	must(t, err)
	generic, err := provrecord.Sign(signer, parse(t, string(published)))
	if err != nil || string(generic.Append(nil)) != string(published) {
		t.Errorf("SignRecord gives\n%s\nSign gives\n%s, %v", published, generic.Append(nil), err)
	}
	again, err := provrecord.SignRecord(signer, record)
	if err != nil || string(again) != string(published) {
		t.Errorf("signing a signed record again gives other bytes: %v", err)
	}
	text := "text"
	r := provrecord.Verify(published, provrecord.Question{Keys: v.keySet(t), Verify: provrecord.Ed25519, Text: &text})
	if r.Code() != outcome.OK || !r.CanonicalBytes || r.Text != outcome.OK {
		t.Errorf("the record does not verify: %+v", r)
	}
	record.Proof.Created = ""
	if _, err := provrecord.SignRecord(signer, record); err != outcome.CreatedNotAnInstant {
		t.Errorf("without created: %v", err)
	}
}
