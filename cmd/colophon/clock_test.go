package main

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"colophon/internal/assert"
	"colophon/internal/cli"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/registrydir"
)

// maintainAt processes deadlines at an instant.
func (o operator) maintainAt(at time.Time) (t inquiry.MaintenanceResult, err error) {
	o.Helper()
	e := &cli.Env{Dir: registrydir.Dir{Path: o.dir}, Quiet: true}
	fault := e.WithStore(context.Background(), func(store *originsql.Store) error {
		t, err = registrydir.RunMaintenance(context.Background(), store, at)
		return nil
	})
	if fault != nil {
		o.Fatal(fault)
	}
	return t, err
}

func TestClockJumpStopsErasure(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	id := o.submit("")
	now := time.Now()
	year := now.AddDate(1, 0, 0)
	must(t, assert.Err(o.maintainAt(now)))
	for range 2 { // trying again does not confirm the clock
		if done, err := o.maintainAt(year); !errors.Is(err, inquiry.ErrClockJumped) || done.Expired+done.Erased+done.Reminded+done.Swept+done.Forgotten != 0 {
			t.Errorf("a year later: %+v %v", done, err)
		}
	}
	assert.Equal(t, o.state(id), "delivered", "the request")
	if _, err := o.maintainAt(now.Add(-time.Hour)); err != nil {
		t.Errorf("an hour back: %v", err)
	}
	if _, err := o.maintainAt(now.Add(23 * time.Hour)); err != nil {
		t.Errorf("23 hours later: %v", err)
	}
	if _, err := o.maintainAt(now.Add(46 * time.Hour)); err != nil {
		t.Errorf("another 23 hours later: %v", err)
	}
	assert.ErrorIs(t, assert.Err(o.maintainAt(now.Add(70*time.Hour+time.Minute))), inquiry.ErrClockJumped, "24 hours and a minute after that")
}

// TestClockJumpLetsDeliver checks that a request whose delivery was interrupted
// is delivered whatever the clock says.
func TestClockJumpLetsDeliver(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	must(t, assert.Err(o.maintainAt(time.Now())))
	e := &cli.Env{Dir: registrydir.Dir{Path: o.dir}, Quiet: true}
	err := e.WithStore(t.Context(), func(store *originsql.Store) error {
		_, _, err := cli.NewInquiryService(store).Submit(t.Context(), origin.Request{SiteID: "harbor-ledger", Channel: "public", BuyerName: "R.", BuyerEmail: "r@example.org", BudgetCents: -1, TermMonths: -1, TokenHash: "x"})
		return err
	})
	must(t, err)
	if done, err := o.maintainAt(time.Now().AddDate(1, 0, 0)); !errors.Is(err, inquiry.ErrClockJumped) || done.Delivered != 1 {
		t.Errorf("%+v %v", done, err)
	}
}

func TestConfirmClock(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	id := o.submit("")
	old := time.Now().AddDate(0, 0, -100)
	if _, err := o.maintainAt(old); err != nil { // the request is 100 days younger: nothing is due
		t.Fatal(err)
	}
	o.sql("UPDATE requests SET publisher_at = '2020-01-01T00:00:00Z'")
	o.no(1, "the clock jumped forward", "inquiry", "tick")
	if got := o.ok("doctor", "--confirm-clock", "--dry-run"); !strings.HasPrefix(got, "would confirm") {
		t.Errorf("dry run: %q", got)
	}
	o.no(1, "the clock jumped forward", "inquiry", "tick")
	if got := o.trail("--action", "doctor"); len(got) != 0 {
		t.Errorf("a dry run is recorded: %+v", got)
	}
	o.ok("doctor", "--confirm-clock")
	got := o.trail("--kind", "meta", "--target", "clock")
	if len(got) != 1 || got[0].Action != "doctor --confirm-clock" || got[0].Actor == "" ||
		string(got[0].Before) != `{"seen":"`+old.UTC().Format(time.RFC3339)+`"}` || !strings.HasPrefix(string(got[0].After), `{"seen":"`) {
		t.Errorf("the confirmation is recorded as %+v", got)
	}
	o.ok("inquiry", "tick")
	assert.Equal(t, o.state(id), "expired", "the request")
	o.no(2, "--confirm-clock", "doctor", "--dry-run")
}

// state returns the state of a request.
func (o operator) state(id string) string {
	o.Helper()
	var r struct{ State string }
	o.data(&r, "inquiry", "show", id)
	return r.State
}

// sql runs a statement on the store.
func (o operator) sql(statement string) {
	o.Helper()
	db, err := registrydir.OpenPlain(o.dir + "/" + registrydir.OriginFile)
	if err != nil {
		o.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statement); err != nil {
		o.Fatal(err)
	}
}
