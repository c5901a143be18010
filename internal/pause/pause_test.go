package pause_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"colophon/internal/pause"
)

func TestFor(t *testing.T) {
	if err := pause.For(context.Background(), 0); err != nil {
		t.Error(err)
	}
	stopped := errors.New("stopped")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(stopped)
	if err := pause.For(ctx, time.Hour); err != stopped {
		t.Error(err)
	}
	for range 100 { // nothing to wait for and an ended context: the context must win, and not by chance
		if err := pause.For(ctx, 0); err != stopped {
			t.Fatal(err)
		}
	}
}
