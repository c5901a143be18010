//go:build unix

package labhost

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
)

// Guard is the guard of a publisher's site under plain workerd.
type Guard struct {
	Plain   bool         // a hand-written guard in JavaScript, which lets everything pass
	Alone   bool         // without the Durable Objects that share nonces between isolates
	Site    http.Handler // the publisher's own server
	Outside http.Handler // everything that the guard fetches, by Host: the registry, keys of signers
	Env     []string     // settings
}

// Start runs the guard; dir holds its log and its nonces, which a later start finds
// there.
func (g Guard) Start(ctx context.Context, dir string) (*Host, func(), error) {
	address, err := FreeAddress()
	if err != nil {
		return nil, nil, err
	}
	site := httptest.NewServer(g.Site)
	servers := []*httptest.Server{site}
	config := "plain"
	remote := map[string]string{"site": site.Listener.Addr().String()}
	files := map[string]string{}
	if !g.Plain {
		outside := httptest.NewServer(g.Outside)
		servers = append(servers, outside)
		config, remote["outside"] = "alone", outside.Listener.Addr().String()
	}
	if !g.Plain && !g.Alone {
		config, files["nonces"] = "guard", filepath.Join(dir, "nonces")
		err = os.MkdirAll(files["nonces"], 0o700)
	}
	if err != nil {
		return nil, nil, err
	}
	host, err := Workerd{
		File: labFolder + "/guard.capnp", Config: config, Listen: map[string]string{"http": address}, Remote: remote, Files: files, Env: g.Env, Ready: "/robots.txt",
	}.Start(ctx, dir)
	return started(host, err, servers)
}
