package acceptance_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/generator"
	"colophon/internal/canonicaltext"
	"colophon/internal/iscc"
	"colophon/internal/openapi/openapitest"
	"colophon/internal/urlkey"
	"colophon/internal/wire"
	"colophon/worker"
	"colophon/worker/edge"
)

// checksOf posts a record for verification and returns the code of each check.
func (w *rightsWorld) checksOf(record string) map[string]string {
	w.t.Helper()
	r := edge.Request{Method: "POST", Path: exports.PathVerify, Body: []byte(record)}
	r.Header.Set("content-type", "application/json")
	resp := w.handle(context.Background(), &r)
	var answer struct {
		Checks []struct{ Check, Result, Code string }
	}
	if err := json.Unmarshal(resp.Body, &answer); err != nil || resp.Status != 200 {
		w.t.Fatalf("%d %s", resp.Status, resp.Body)
	}
	codes := map[string]string{}
	for _, c := range answer.Checks {
		codes[c.Check] = c.Result + " " + c.Code
	}
	return codes
}

// TestVerifyTellsVersionsApart checks that an earlier version is superseded,
// and that a record which never was a version is unknown.
func TestVerifyTellsVersionsApart(t *testing.T) {
	w := newRightsWorld(t)
	ctx := context.Background()
	read := func() string {
		b, err := w.deps.Assets.Read(ctx, string(exports.KeyOf(exports.RecordPath(w.entry))))
		must(t, err)
		return string(b)
	}
	first := read()
	p, err := w.store.Page(ctx, w.entry)
	must(t, err)
	text, err := canonicaltext.CanonicalText("High water at Pier 4 is at five in the morning now.")
	must(t, err)
	p.Portable, p.ISCC, p.ChangedAt = canonicaltext.PortableDigest([]byte(text)), iscc.Sum(text).String(), "2026-10-01T00:00:00Z"
	p.Registry = urlkey.RegistryDigest("harbor-ledger", p.EntryID, p.CanonicalURL, p.Portable)
	must(t, w.store.PutPage(ctx, p, nil))
	signer, keys := rightsKey(t)
	built := filepath.Join(t.TempDir(), "dist")
	_, err = generator.Build(ctx, w.store, built, generator.Options{BaseURL: testBase, Name: "Colophon", Signer: signer, Keys: keys, Workers: 2})
	must(t, err)
	w.deps.Assets = dir(built)
	w.handle = openapitest.Handler(t, worker.New(w.deps))
	second := read()
	if first == second || !strings.Contains(second, `"record_version":2`) {
		t.Fatalf("no second version: %s", second)
	}

	with := func(record, old, new string) string {
		if !strings.Contains(record, old) {
			t.Fatalf("no %s in %s", old, record)
		}
		return strings.Replace(record, old, new, 1)
	}
	parsed, err := wire.Parse([]byte(second), wire.Default)
	must(t, err)
	proof := `"proof":` + string(parsed.Get("proof").Append(nil))
	for _, c := range []struct{ what, record, schema, current string }{
		{"the latest", second, "pass ok", "pass latest"},
		{"the one before", first, "pass ok", "warn superseded"},
		{"another title", with(second, "Tide tables", "Tide tabels"), "pass ok", "fail unknown_record"},
		{"another title of the one before", with(first, "Tide tables", "Tide tabels"), "pass ok", "fail unknown_record"},
		{"a version that is not yet", with(second, `"record_version":2`, `"record_version":3`), "pass ok", "fail unknown_record"},
		{"an old version that claims to be the new", with(first, `"record_version":1`, `"record_version":2`), "fail record_malformed", "fail unknown_record"},
		{"another entry", with(second, w.entry, "ent_ffffffffffffffffffffffff"), "pass ok", "warn not_registered"},
		{"no proof", with(second, ","+proof, ""), "fail proof_missing", "fail unknown_record"},
		{"a proof of nothing", with(second, proof, `"proof":null`), "fail proof_missing", "fail unknown_record"},
		{"an empty proof", with(second, proof, `"proof":{}`), "fail proof_missing", "fail unknown_record"},
		{"a proof of another suite", with(second, exports.Cryptosuite, "eddsa-jcs-2022"), "fail unknown_cryptosuite", "fail unknown_record"},
		{"a proof without a suite", with(second, proof, `"proof":{"created":"2026-09-01T00:00:00Z"}`), "fail unknown_cryptosuite", "fail unknown_record"},
	} {
		got := w.checksOf(c.record)
		if got["schema"] != c.schema || got["current"] != c.current {
			t.Errorf("%s: schema %s, current %s; want %s, %s", c.what, got["schema"], got["current"], c.schema, c.current)
		}
	}
}
