package worker_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"colophon/internal/origin"
	"colophon/worker"
	"colophon/worker/edge"
)

// broken is a store that fails in an unexpected way.
type broken struct{ worker.Origin }

func (broken) LinksByLookup(context.Context, string) ([]origin.InboxLink, error) {
	return nil, errors.New("disk on fire")
}

func TestLogsHoldNoSecret(t *testing.T) {
	s := newService(t, func(d *worker.Deps) { d.Origin = broken{} })
	resp := s.handle(context.Background(), &edge.Request{Method: "GET", Path: "/inbox/" + seedKeys["inbox"], ID: "rid_x"})
	log := strings.Join(s.lines, "\n")
	if resp.Status != 500 || !strings.Contains(log, "disk on fire") {
		t.Fatalf("answered %d, logged %q", resp.Status, log)
	}
	if strings.Contains(log, seedKeys["inbox"]) || strings.Contains(string(resp.Body), "fire") {
		t.Errorf("logged %q, answered %s", log, resp.Body)
	}
}

// unreachable is a store that is temporarily out of reach.
type unreachable struct{ worker.Origin }

func (unreachable) KeysByLookup(context.Context, string) ([]origin.PartnerKey, error) {
	return nil, origin.ErrUnavailable
}

func TestOriginDown(t *testing.T) {
	for name, change := range map[string]func(*worker.Deps){
		"not there":     func(d *worker.Deps) { d.Origin = nil },
		"not reachable": func(d *worker.Deps) { d.Origin = unreachable{} },
	} {
		s := newService(t, change)
		resp := s.handle(context.Background(), &edge.Request{Method: "GET", Path: "/v1/partner/status", ID: "rid_x", Header: edge.Header{{Name: "authorization", Value: "Bearer " + seedKeys["key_alpha"]}}})
		if resp.Status != 503 || resp.Header.Get("retry-after") != "30" || !strings.Contains(string(resp.Body), "origin_unavailable") {
			t.Errorf("%s: %d %s", name, resp.Status, resp.Body)
		}
	}
}
