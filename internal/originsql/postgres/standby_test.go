package postgres_test

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"

	"colophon/internal/origin"
	"colophon/internal/originsql/postgres"
	"colophon/internal/originsql/postgres/pgtest"
)

// TestStandby checks that a standby is never asked, and that after a failover
// everything acknowledged is there.
func TestStandby(t *testing.T) {
	primary, err := pgtest.Start()
	if err != nil {
		pgtest.SkipOrFail(t, err)
	}
	defer primary.Stop()
	standby, err := primary.StartStandby()
	must(t, err)
	defer standby.Stop()
	ctx := context.Background()
	open := func(hosts ...string) *postgres.Database {
		t.Helper()
		db, err := postgres.Open(ctx, "postgres://colophon@/postgres?host="+url.QueryEscape(strings.Join(hosts, ","))+"&synchronous_commit=remote_apply&target_session_attrs=any")
		must(t, err)
		t.Cleanup(db.Close)
		return db
	}
	both, alone := open(standby.Folder(), primary.Folder()), open(standby.Folder())
	must(t, both.Migrate(ctx))
	if _, err := alone.Store().Sites(ctx); !errors.Is(err, origin.ErrUnavailable) || !strings.Contains(err.Error(), "standby") {
		t.Errorf("a standby was asked: %v", err)
	}
	if won, err := both.Store().SpendProof(ctx, "nonce", "t"); err != nil || !won {
		t.Fatalf("spent: %v, %v", won, err)
	}

	primary.Stop()
	if _, err := both.Store().SpendProof(ctx, "nonce", "t"); !errors.Is(err, origin.ErrUnavailable) {
		t.Errorf("without a primary: %v", err)
	}
	must(t, standby.Promote())
	deadline := time.Now().Add(time.Minute)
	won, err := both.Store().SpendProof(ctx, "nonce", "t")
	for errors.Is(err, origin.ErrUnavailable) && time.Now().Before(deadline) {
		won, err = both.Store().SpendProof(ctx, "nonce", "t")
	}
	if err != nil || won {
		t.Errorf("after the failover what was spent is spent again: %v, %v", won, err)
	}
}
