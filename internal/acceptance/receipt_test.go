package acceptance_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/openapi/openapitest"
	"colophon/worker"
)

// checkReceipt is a program that anyone can write: it verifies an answer of the
// rights check and its receipt with published files and nothing but the
// standard library. read returns the body of a path of the service.
func checkReceipt(answer []byte, read func(path string) []byte) error {
	type rights struct {
		SiteID       string `json:"site_id"`
		RightsVector string `json:"rights_vector"`
		Policy       struct {
			Digest  string
			Version int
		}
		Uses []struct{ Use, Verdict, Reason string }
	}
	var a struct {
		Query      any
		Candidates []rights
		Receipt    json.RawMessage
	}
	var receipt struct {
		KeyID     string `json:"kid"`
		Payload   json.RawMessage
		Signature string `json:"signature_b64u"`
	}
	var signed struct {
		Question   any
		Release    string
		Answer     string `json:"answer_sha256"`
		Candidates []struct {
			rights
			Evidence []string
		}
	}
	var keys struct{ Keys []struct{ Kid, X string } }
	if err := errors.Join(json.Unmarshal(answer, &a), json.Unmarshal(a.Receipt, &receipt), json.Unmarshal(receipt.Payload, &signed), json.Unmarshal(read("/.well-known/service-contentdna-provenance.json"), &keys)); err != nil {
		return err
	}
	holds := false
	for _, k := range keys.Keys {
		public, _ := base64.RawURLEncoding.DecodeString(k.X)
		signature, _ := base64.RawURLEncoding.DecodeString(receipt.Signature)
		holds = holds || k.Kid == receipt.KeyID && ed25519.Verify(public, append([]byte("service.rights-answer.v2\n"), receipt.Payload...), signature)
	}
	whole := sha256.Sum256(bytes.Replace(answer, a.Receipt, []byte("null"), 1))
	if hex.EncodeToString(whole[:]) != signed.Answer {
		return errors.New("the answer is another one")
	}
	if !holds || !reflect.DeepEqual(a.Query, signed.Question) || len(a.Candidates) != len(signed.Candidates) {
		return errors.New("the signature or the question does not hold")
	}
	for i, c := range signed.Candidates {
		if !reflect.DeepEqual(a.Candidates[i], c.rights) {
			return fmt.Errorf("answered %+v, signed %+v", a.Candidates[i], c.rights)
		}
		published := string(read("/v1/public/sites/" + c.SiteID + "/rights.json"))
		history := string(read("/v1/public/sites/" + c.SiteID + "/policy-history.json"))
		missing := slices.ContainsFunc(c.Evidence, func(digest string) bool { return !strings.Contains(published, digest) })
		if missing || !strings.Contains(history, c.Policy.Digest) {
			return fmt.Errorf("what %s rests on is not published", c.SiteID)
		}
	}
	if !strings.Contains(string(read("/v1/public/licensing-feed.json")), signed.Release) {
		return errors.New("no such release")
	}
	return nil
}

func TestReceipt(t *testing.T) {
	w := newRightsWorld(t)
	deps := w.deps
	deps.Signer, _ = rightsKey(t)
	w.handle = openapitest.Handler(t, worker.New(deps))
	read := func(path string) []byte {
		body, err := deps.Assets.Read(t.Context(), strings.TrimPrefix(path, "/"))
		must(t, err)
		return body
	}
	for _, query := range []string{"entry_id=" + w.entry, "url=" + pageURL + "&use=rag,train&territory=NL&user_type=commercial", "site_id=harbor-ledger&agent=ExampleBot"} {
		answer := w.raw(query)
		if err := checkReceipt(answer, read); err != nil {
			t.Errorf("%s: %v\n%s", query, err, answer)
		}
		for _, change := range [][2]string{
			{`"verdict":"declined"`, `"verdict":"signal_allow"`}, {`"agent":null`, `"agent":"GPTBot"`}, {`"license_required"`, `"signal_allow"`}, {`"use":"rag"`, `"use":"training"`},
		} {
			if bent := strings.Replace(string(answer), change[0], change[1], 1); bent != string(answer) && checkReceipt([]byte(bent), read) == nil {
				t.Errorf("%s: %s for %s was not noticed", query, change[1], change[0])
			}
		}
	}
	if _, doc := w.check("url=https://nobody.example/"); doc["receipt"] != nil {
		t.Error("a receipt for an answer that found nothing")
	}
	if _, doc := w.check("url=https://harbor-ledger.example/elsewhere"); get(doc, "receipt.payload.candidates.0.site_id") != "harbor-ledger" {
		t.Error("no receipt for an answer about an address that is not registered")
	}
}

// TestSeveralPublishersOfAHost checks that each publisher is a candidate with
// its own verdicts and policy, and that no verdict is given for both together.
func TestSeveralPublishersOfAHost(t *testing.T) {
	w := newRightsWorld(t)
	w.shareHost("quay-times")
	_, doc := w.check("url=https://harbor-ledger.example/elsewhere&use=rag")
	want(t, doc, "match.status", "multiple", "match.basis", "website", "match.count", 2.0, "website", nil, "policy", nil, "uses", nil,
		"candidates.0.site_id", "harbor-ledger", "candidates.0.uses.0.verdict", "license_required", "candidates.0.policy.policy_id", "pol_harbor-ledger",
		"candidates.1.site_id", "quay-times", "candidates.1.uses.0.verdict", "unknown")
	_, doc = w.check("url=" + pageURL + "&use=rag")
	want(t, doc, "match.status", "single", "candidates.0.site_id", "harbor-ledger")
	if exports.RightsDocumentKey("x") != "v1/public/sites/x/rights.json" {
		t.Error("checkReceipt reads another file than the one that is published")
	}
}
