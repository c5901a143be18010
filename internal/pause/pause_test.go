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
	for _, d := range []time.Duration{0, time.Hour} {
		if err := pause.For(ctx, d); err != stopped {
			t.Errorf("%v: %v", d, err)
		}
	}
}
