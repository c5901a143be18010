package inquiry_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"colophon/internal/inquiry"
	"colophon/internal/origin"
)

var credentialNow = time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC)

func TestIssueCredential(t *testing.T) {
	random := bytes.NewReader(make([]byte, 32))
	c, secret, err := inquiry.IssueCredential(random, "ibx_", "desk", credentialNow, 90)
	if err != nil {
		t.Fatal(err)
	}
	if secret != "ibx_"+strings.Repeat("A", 43) || inquiry.Last4(secret) != "AAAA" {
		t.Errorf("secret %q", secret)
	}
	want := origin.Credential{
		Hash: inquiry.Digest(secret), Lookup: inquiry.Digest(secret)[:16], Label: "desk", State: "active",
		CreatedAt: "2026-11-23T10:00:00Z", ChangedAt: "2026-11-23T10:00:00Z", ExpiresAt: "2027-02-21T10:00:00Z",
	}
	if c != want {
		t.Errorf("%+v, want %+v", c, want)
	}
	if _, _, err := inquiry.IssueCredential(random, "ibx_", "", credentialNow, 0); err == nil {
		t.Error("issued without random bytes")
	}
	endless, _, err := inquiry.IssueCredential(bytes.NewReader(make([]byte, 32)), "ibx_", "", credentialNow, 0)
	if err != nil || endless.ExpiresAt != "" {
		t.Errorf("ends at %q, %v", endless.ExpiresAt, err)
	}
}

func TestCheckCredential(t *testing.T) {
	const at = "2026-11-23T10:00:00Z"
	hash := inquiry.Digest("ibx_right")
	near := hash[:63] + "x" // the same lookup text
	part := func(l *origin.InboxLink) *origin.Credential { return &l.Credential }
	link := func(id, hash, state, expires string) origin.InboxLink {
		return origin.InboxLink{LinkID: id, Credential: origin.Credential{Hash: hash, State: state, ExpiresAt: expires}}
	}
	for _, c := range []struct {
		name      string
		list      []origin.InboxLink
		id, state string
	}{
		{"none", nil, "", ""},
		{"only one that begins alike", []origin.InboxLink{link("a", near, "active", "")}, "", ""},
		{"a part of the digest", []origin.InboxLink{link("a", hash[:16], "active", "")}, "", ""},
		{"active", []origin.InboxLink{link("a", near, "active", ""), link("b", hash, "active", "")}, "b", "active"},
		{"active until later", []origin.InboxLink{link("a", hash, "active", "2026-11-23T10:00:01Z")}, "a", "active"},
		{"ended now", []origin.InboxLink{link("a", hash, "active", at)}, "a", "expired"},
		{"suspended", []origin.InboxLink{link("a", hash, "suspended", "")}, "a", "suspended"},
		{"revoked, and ended since", []origin.InboxLink{link("a", hash, "revoked", at)}, "a", "revoked"},
		{"a state nobody knows", []origin.InboxLink{link("a", hash, "", "")}, "a", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, state := inquiry.CheckCredential(c.list, part, hash, at)
			id := ""
			if got != nil {
				id = got.LinkID
			}
			if id != c.id || state != c.state {
				t.Errorf("%q %q, want %q %q", id, state, c.id, c.state)
			}
		})
	}
}

func TestRevocationIsForGood(t *testing.T) {
	c := origin.Credential{State: "active"}
	for _, to := range []string{"suspended", "active", "suspended"} {
		if err := inquiry.SetCredentialState(&c, to, "1"); err != nil || c.State != to {
			t.Fatalf("%s: %q, %v", to, c.State, err)
		}
	}
	inquiry.RevokeCredential(&c, "2")
	for _, to := range []string{"active", "suspended"} {
		if err := inquiry.SetCredentialState(&c, to, "3"); !errors.Is(err, inquiry.ErrRevoked) {
			t.Errorf("%s: %v", to, err)
		}
	}
	if c.State != "revoked" || c.ChangedAt != "2" {
		t.Errorf("%+v", c)
	}
	if err := inquiry.SetCredentialState(&c, "revoked", "4"); err != nil || c.ChangedAt != "4" {
		t.Errorf("%+v, %v", c, err)
	}
}
