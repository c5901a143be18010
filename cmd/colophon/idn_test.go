package main

import (
	"path/filepath"
	"strings"
	"testing"

	"colophon/internal/assert"
)

// TestInternationalizedPublisher checks that a host is entered as people write
// it, stored in its DNS form, and shown as people write it.
func TestInternationalizedPublisher(t *testing.T) {
	t.Parallel()
	o := operator{t, filepath.Join(t.TempDir(), "reg")}
	o.ok("init", "--base-url", "https://registry.example")
	for _, c := range []struct{ id, address, shown, kept string }{
		{"buecher", "http://bücher.example/", "http://bücher.example/", "http://xn--bcher-kva.example/"},
		{"buecher-ascii", "https://XN--BCHER-KVA.example", "https://bücher.example/", "https://xn--bcher-kva.example/"},
		{"reigai", "https://例え。example/", "https://例え.example/", "https://xn--r8jz45g.example/"},
		{"low-line", "https://news_desk.example/", "https://news_desk.example/", "https://news_desk.example/"},
		{"lookalike", "https://аррӏе.example/", "https://xn--80ak6aa92e.example/", "https://xn--80ak6aa92e.example/"},
	} {
		assert.Contains(t, c.address+": added as", o.ok("publisher", "add", c.id, "--name", c.id, "--site-url", c.address), "("+c.shown+", ")
		assert.Contains(t, c.address+": kept as", o.ok("publisher", "show", c.id, "--json"), `"`+c.kept+`"`)
		if _, out, _ := o.run("publisher", "show", c.id); !strings.Contains(out, "site         "+c.shown+"\n") {
			t.Errorf("%s: shown as %s", c.address, out)
		}
	}
}
