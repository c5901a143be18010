package labhost

import (
	"context"
	"net/http"
	"net/http/httptest"
)

// Guard is the guard of a publisher's site under plain workerd.
type Guard struct {
	Plain   bool         // the same by hand in JavaScript, which lets everything pass
	Site    http.Handler // the publisher's own server
	Outside http.Handler // all that the guard asks for elsewhere, by Host: the registry, keys of signers
	Env     []string     // settings
}

// Start runs the guard; dir holds its log.
func (g Guard) Start(ctx context.Context, dir string) (*Host, func(), error) {
	address, err := FreeAddress()
	if err != nil {
		return nil, nil, err
	}
	site := httptest.NewServer(g.Site)
	servers := []*httptest.Server{site}
	config, remote := "plain", map[string]string{"site": site.Listener.Addr().String()}
	if !g.Plain {
		outside := httptest.NewServer(g.Outside)
		servers = append(servers, outside)
		config, remote["outside"] = "guard", outside.Listener.Addr().String()
	}
	host, err := Workerd{
		File: labFolder + "/guard.capnp", Config: config, Listen: map[string]string{"http": address}, Remote: remote, Env: g.Env, Ready: "/robots.txt",
	}.Start(ctx, dir)
	stop := func() {
		if host != nil {
			_ = host.Stop()
		}
		for _, s := range servers {
			s.CloseClientConnections()
			s.Close()
		}
	}
	if err != nil {
		stop()
	}
	return host, stop, err
}
