package access

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"sync"
	"time"

	"colophon/internal/wire"
)

// Directory finds the keys of signers in the directories that they publish. It
// remembers a directory that was found for an hour and one that was not for
// five minutes, so that a made-up signer costs one fetch. It looks for an
// unknown key again after five minutes, so that a signer may change its keys; a
// key removed from a directory is accepted for at most an hour longer.
type Directory struct {
	// Fetch fetches a document. It must refuse addresses that are not public
	// and documents larger than MaxDirectory, and must not follow redirects.
	Fetch  func(ctx context.Context, url string) (status int, body []byte, err error)
	Verify func(public, message, signature []byte) bool // Ed25519
	Now    func() time.Time

	mu    sync.Mutex
	known map[string]entry
}

type entry struct {
	keys  map[string][]byte // by key id
	until time.Time
	again time.Time // from when on an unknown key is looked for again
}

// knowsKey reports whether the entry knows a key.
func (e *entry) knowsKey(keyID string, now time.Time) bool {
	return now.Before(e.until) && (e.keys[keyID] != nil || now.Before(e.again))
}

// Bounds of directories.
const (
	MaxDirectory  = 64 << 10
	DirectoryPath = "/.well-known/http-message-signatures-directory"

	// DirectoryMedia is the media type of a directory.
	DirectoryMedia = "application/http-message-signatures-directory+json"

	maxKeys      = 16
	maxSigners   = 256
	keepFound    = time.Hour
	keepMissing  = 5 * time.Minute
	maxHostBytes = 253
)

var _ Keys = (*directoryKeys)(nil)

type directoryKeys struct{ d *Directory }

// Keys verifies with the keys of a directory.
func (d *Directory) Keys() Keys { return &directoryKeys{d} }

func (k *directoryKeys) Verify(ctx context.Context, host, keyID string, message, signature []byte) bool {
	public := k.d.keysOf(ctx, host, keyID)[keyID]
	return len(public) == 32 && k.d.Verify(public, message, signature)
}

// keysOf returns the keys of a host. It reads the directory again if the
// remembered one does not have the key.
func (d *Directory) keysOf(ctx context.Context, host, keyID string) map[string][]byte {
	now := d.Now()
	d.mu.Lock()
	e := d.known[host]
	d.mu.Unlock()
	if e.knowsKey(keyID, now) {
		return e.keys
	}
	e.again = now.Add(keepMissing)
	found := d.fetchDirectory(ctx, host)
	switch {
	case len(found) > 0:
		e.keys = found
		e.until = now.Add(keepFound)
	case !now.Before(e.until):
		e.keys = nil
		e.until = e.again
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.known == nil || len(d.known) >= maxSigners {
		d.known = map[string]entry{} // better to forget than to grow
	}
	d.known[host] = e
	return e.keys
}

// fetchDirectory fetches a directory; it returns nil if none can be read.
func (d *Directory) fetchDirectory(ctx context.Context, host string) map[string][]byte {
	status, body, err := d.Fetch(ctx, "https://"+host+DirectoryPath)
	if err != nil || status != 200 || len(body) > MaxDirectory {
		return nil
	}
	return parseKeys(body)
}

// parseKeys returns the Ed25519 keys of a JWK set, by thumbprint (RFC 7638).
func parseKeys(body []byte) map[string][]byte {
	doc, err := wire.Parse(body, wire.Limits{Bytes: MaxDirectory, Depth: 8, Members: 64, Floats: true})
	if err != nil || doc.Get("keys") == nil {
		return nil
	}
	out := map[string][]byte{}
	for i, k := range doc.Get("keys").Items {
		if i == maxKeys {
			break
		}
		kty, _ := k.Get("kty").Str()
		crv, _ := k.Get("crv").Str()
		x, _ := k.Get("x").Str()
		public, err := base64.RawURLEncoding.Strict().DecodeString(x)
		if kty != "OKP" || crv != "Ed25519" || err != nil || len(public) != 32 {
			continue
		}
		sum := sha256.Sum256([]byte(`{"crv":"Ed25519","kty":"OKP","x":"` + x + `"}`))
		out[base64.RawURLEncoding.EncodeToString(sum[:])] = public
	}
	return out
}

// directoryHost returns the host of a signer's address, which must have the
// scheme https, a name that looks public, no port and no credentials.
func directoryHost(url string) (string, bool) {
	rest, ok := strings.CutPrefix(url, "https://")
	if !ok {
		return "", false
	}
	host := strings.ToLower(strings.TrimSuffix(rest, "/"))
	if len(host) > maxHostBytes || !strings.Contains(host, ".") || strings.HasPrefix(host, ".") || strings.HasSuffix(host, ".") || strings.Contains(host, "..") {
		return "", false
	}
	last := host[strings.LastIndexByte(host, '.')+1:]
	if letters := strings.Trim(last, "abcdefghijklmnopqrstuvwxyz"); len(last) < 2 || letters != "" && !strings.HasPrefix(last, "xn--") {
		return "", false
	}
	for _, private := range []string{"local", "localhost", "internal", "lan", "home", "corp", "intranet", "onion"} {
		if last == private {
			return "", false
		}
	}
	for i := 0; i < len(host); i++ {
		if c := host[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '.' {
			return "", false
		}
	}
	return host, true
}
