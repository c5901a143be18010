package registrydir

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"
)

// sharedLog is a log that is read while a follower writes it.
type sharedLog struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *sharedLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *sharedLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// TestFollowerReportsFailedBuilds checks that a follower whose settings cannot
// be read says so once, waits before it tries again, and ends when it is asked.
func TestFollowerReportsFailedBuilds(t *testing.T) {
	d := &Dir{Path: t.TempDir(), Getenv: func(string) string { return "" }}
	store, done, err := d.OpenDatabase(t.Context(), d.File(OriginFile))
	must(t, err)
	defer done()
	var log sharedLog
	f := Follower{Dir: d, Store: store, Log: slog.New(slog.NewTextHandler(&log, nil))}
	stop := f.Start(t.Context())
	for end := time.Now().Add(20 * time.Second); !strings.Contains(log.String(), "\n") && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
	stop()
	told := log.String()
	if strings.Count(told, "\n") != 1 || !strings.Contains(told, "changes are not published") || !strings.Contains(told, "there is no colophon.toml") || !strings.Contains(told, "again_in=10s") {
		t.Errorf("told %q", told)
	}
}

// TestFollowerRestsNoLongerThanItsServer checks that a rest ends with its
// context, and otherwise when its time is over.
func TestFollowerRestsNoLongerThanItsServer(t *testing.T) {
	f := Follower{}
	if !f.RestFor(t.Context(), time.Millisecond, 0) {
		t.Error("a rest that was not interrupted ended as if it was")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if f.RestFor(ctx, time.Hour, 0) {
		t.Error("a rest went on after its context")
	}
}
