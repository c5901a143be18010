package generator

import (
	"context"
	"errors"
	"slices"
	"testing"
)

// count returns a producer that puts the numbers below n and returns end. It
// sets ended when it returns.
func count(n int, end error, ended *bool) func(context.Context, func(int) error) error {
	return func(_ context.Context, put func(int) error) error {
		defer func() { *ended = true }()
		for i := range n {
			if err := put(i); err != nil {
				return err
			}
		}
		return end
	}
}

func TestReadAhead(t *testing.T) {
	t.Parallel()
	var got []int
	var ended bool
	take := func(i int) error {
		got = append(got, i)
		return nil
	}
	if err := readAhead(t.Context(), count(5, nil, &ended), take); err != nil || !ended || !slices.Equal(got, []int{0, 1, 2, 3, 4}) {
		t.Errorf("%v, %v, ended: %v", got, err, ended)
	}

	// Values put before an error may be consumed, and the error is returned.
	broken := errors.New("broken")
	if err := readAhead(t.Context(), count(5, broken, &ended), func(int) error { return nil }); !errors.Is(err, broken) {
		t.Errorf("the error of what is read is %v", err)
	}

	// An error of the consumer stops the producer, however much is left to put.
	ended = false
	calls := 0
	refuse := func(i int) error {
		calls++
		if i == 2 {
			return broken
		}
		return nil
	}
	if err := readAhead(t.Context(), count(1<<40, nil, &ended), refuse); !errors.Is(err, broken) || calls != 3 || !ended {
		t.Errorf("after %d calls: %v, ended: %v", calls, err, ended)
	}

	// Cancelling the context stops both.
	ctx, cancel := context.WithCancel(t.Context())
	ended = false
	err := readAhead(ctx, count(1<<40, nil, &ended), func(i int) error {
		if i == 10 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || !ended {
		t.Errorf("a context that ended: %v, ended: %v", err, ended)
	}
}
