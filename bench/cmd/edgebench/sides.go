package main

import (
	"context"
	"net/http/httptest"
	"os"
	"path/filepath"

	"colophon/internal/originsql/d1test"
	"colophon/worker/edgelab/labhost"
)

// side is one way to run the handlers.
type side struct {
	name string
	host *labhost.Host
}

type sides struct {
	list   []side
	ending []func()
}

func (s *sides) stop() {
	for i := len(s.ending) - 1; i >= 0; i-- {
		s.ending[i]()
	}
}

func (s *sides) get(name string) side {
	for _, one := range s.list {
		if one.name == name {
			return one
		}
	}
	return side{}
}

// startSides starts all sides, over one origin.
func startSides(ctx context.Context, dir string) (*sides, error) {
	s := &sides{}
	db, err := labhost.OpenOrigin(dir)
	if err != nil {
		return s, err
	}
	s.ending = append(s.ending, func() { db.Close() })
	origin := httptest.NewServer(d1test.NewBinding(db))
	s.ending = append(s.ending, origin.Close)
	for _, c := range []struct{ name, file, config, mode string }{
		{"edge", "worker/edgelab/workerd.capnp", "lab", "lazy"},
		{"plain", "worker/edgelab/bench/workerd.capnp", "plain", ""},
		{"fork", "worker/edgelab/workerd.capnp", "lab", "fork"},
		{"fresh", "worker/edgelab/workerd.capnp", "lab", "fresh"},
		{"glue", "worker/edgelab/bench/workerd.capnp", "glue", ""},
	} {
		if err := s.start(ctx, dir, c.name, c.file, c.config, c.mode, origin.Listener.Addr().String()); err != nil {
			return s, err
		}
	}
	return s, nil
}

func (s *sides) start(ctx context.Context, dir, name, file, config, mode, origin string) error {
	logs := filepath.Join(dir, name)
	if err := os.Mkdir(logs, 0o700); err != nil {
		return err
	}
	address, err := labhost.FreeAddress()
	if err != nil {
		return err
	}
	w := labhost.Workerd{
		File: file, Config: config, Ready: "/hello",
		Listen: map[string]string{"http": address},
		Remote: map[string]string{"origin": origin},
		Env:    []string{"EDGE_MODE=" + mode},
	}
	if config == "lab" {
		w.Files = map[string]string{"files": filepath.Join(os.Getenv("ROOT"), "worker/edgelab/testdata/assets")}
	}
	host, err := w.Start(ctx, logs)
	if err != nil {
		return err
	}
	s.ending = append(s.ending, func() { _ = host.Stop() })
	s.list = append(s.list, side{name, host})
	return nil
}
