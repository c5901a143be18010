package credential_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"colophon/internal/assert"
	"colophon/internal/credential"
	"colophon/internal/origin"
)

var now = time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC)

func TestIssue(t *testing.T) {
	random := bytes.NewReader(make([]byte, 32))
	c, secret, err := credential.Inbox.Issue(random, "desk", now, 90)
	if err != nil {
		t.Fatal(err)
	}
	if secret != "ibx_"+strings.Repeat("A", 43) || credential.Last4(secret) != "AAAA" {
		t.Errorf("secret %q", secret)
	}
	want := origin.Credential{
		Hash: credential.Digest(secret), Lookup: credential.Digest(secret)[:16], Label: "desk", State: "active",
		CreatedAt: "2026-11-23T10:00:00Z", ChangedAt: "2026-11-23T10:00:00Z", ExpiresAt: "2027-02-21T10:00:00Z",
	}
	assert.Equal(t, c, want, "c")
	if _, _, err := credential.Inbox.Issue(random, "", now, 0); err == nil {
		t.Error("issued without random bytes")
	}
	endless, _, err := credential.Inbox.Issue(bytes.NewReader(make([]byte, 32)), "", now, 0)
	if err != nil || endless.ExpiresAt != "" {
		t.Errorf("ends at %q, %v", endless.ExpiresAt, err)
	}
}

func TestFind(t *testing.T) {
	const at = "2026-11-23T10:00:00Z"
	hash := credential.Digest("ibx_right")
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
			lookup := func(_ context.Context, text string) ([]origin.InboxLink, error) {
				if text != hash[:16] {
					return nil, errors.New("looked up by " + text)
				}
				return c.list, nil
			}
			got, state, err := credential.Find(context.Background(), lookup, part, "ibx_right", at)
			if err != nil {
				t.Fatal(err)
			}
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
		if err := credential.SetState(&c, to, "1"); err != nil || c.State != to {
			t.Fatalf("%s: %q, %v", to, c.State, err)
		}
	}
	credential.Revoke(&c, "2")
	for _, to := range []string{"active", "suspended"} {
		assert.ErrorIs(t, credential.SetState(&c, to, "3"), credential.ErrRevoked, "%s", to)
	}
	if c.State != "revoked" || c.ChangedAt != "2" {
		t.Errorf("%+v", c)
	}
	if err := credential.SetState(&c, "revoked", "4"); err != nil || c.ChangedAt != "4" {
		t.Errorf("%+v, %v", c, err)
	}
}
