//go:build unix

package labhost

import (
	"context"
	"database/sql"
	_ "embed"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"colophon/internal/originsql/d1test"

	_ "modernc.org/sqlite"
)

const labFolder = "worker/edgelab"

//go:embed migrations/0001_lab.sql
var schema string

// OpenOrigin makes a SQLite database in dir with the lab's table in it.
func OpenOrigin(dir string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "origin.db")+"?_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_pragma=busy_timeout(5000)")
	if err != nil {
		return nil, err
	}
	_, err = db.Exec(schema)
	return db, err
}

// Lab is the lab under plain workerd.
type Lab struct {
	Config string       // constant in workerd.capnp; "" is "lab"
	Origin http.Handler // D1 protocol; nil is a new SQLite database
	Assets http.Handler // for the config "faulty"
	Env    []string
}

// Start runs the lab; dir holds its state.
func (l Lab) Start(ctx context.Context, dir string) (*Host, func(), error) {
	if l.Config == "" {
		l.Config = "lab"
	}
	if l.Origin == nil {
		db, err := OpenOrigin(dir)
		if err != nil {
			return nil, nil, err
		}
		l.Origin = d1test.NewBinding(db)
	}
	address, err := FreeAddress()
	if err != nil {
		return nil, nil, err
	}
	origin := httptest.NewServer(l.Origin)
	servers := []*httptest.Server{origin}
	remote := map[string]string{"origin": origin.Listener.Addr().String()}
	if l.Assets != nil {
		assets := httptest.NewServer(l.Assets)
		servers = append(servers, assets)
		remote["assets"] = assets.Listener.Addr().String()
	}
	host, err := Workerd{
		File: labFolder + "/workerd.capnp", Config: l.Config,
		Listen: map[string]string{"http": address},
		Remote: remote,
		Files:  map[string]string{"files": filepath.Join(os.Getenv("ROOT"), labFolder, "testdata/assets")},
		Env:    append([]string{"EDGE_BODY_LIMIT=65536"}, l.Env...), Ready: "/hello",
	}.Start(ctx, dir)
	return started(host, err, servers)
}

// started returns what Start returns: a host, and the function that stops it with
// its servers, which has run if there is an error.
func started(host *Host, err error, servers []*httptest.Server) (*Host, func(), error) {
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

// StartWrangler runs the lab under wrangler dev, its state in dir; vars are
// "NAME:value".
func StartWrangler(ctx context.Context, dir string, vars ...string) (*Host, error) {
	address, err := FreeAddress()
	if err != nil {
		return nil, err
	}
	migrate, err := wrangler(ctx, "d1", "migrations", "apply", "lab", "--local", "--persist-to", dir)
	if err != nil {
		return nil, err
	}
	if out, err := migrate.CombinedOutput(); err != nil {
		return nil, &exec.Error{Name: "wrangler d1 migrations apply: " + string(out), Err: err}
	}
	port := address[strings.LastIndexByte(address, ':')+1:]
	args := []string{"dev", "--local", "--ip", "127.0.0.1", "--port", port, "--inspector-port", "0", "--persist-to", dir, "--test-scheduled"}
	for _, v := range vars {
		args = append(args, "--var", v)
	}
	dev, err := wrangler(ctx, args...)
	if err != nil {
		return nil, err
	}
	return start(dev, address, "/hello", filepath.Join(dir, "wrangler.log"))
}

func wrangler(ctx context.Context, args ...string) (*exec.Cmd, error) {
	node, err := Tool("NODE")
	if err != nil {
		return nil, err
	}
	script, err := Tool("WRANGLER")
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, node, append([]string{script}, args...)...)
	cmd.Dir = filepath.Join(os.Getenv("ROOT"), labFolder)
	return cmd, nil
}
