package staticindex

import (
	"errors"
	"fmt"
	"testing"
)

// TestFindAfter looks up each place of a list from each guess. It must find the
// first record that comes after, read few records if the guess is near, and at
// most twice the logarithm of all if it is far.
func TestFindAfter(t *testing.T) {
	const count = 200
	place := func(i int) string { return fmt.Sprintf("%04d", 2*i) }
	for after := -1; after <= 2*count; after++ {
		for guess := -1; guess <= count+1; guess += 7 {
			looked := 0
			got, err := findAfter(fmt.Sprintf("%04d", after), guess, count, func(i int) (string, error) {
				looked++
				return place(i), nil
			})
			want := 0
			for want < count && 2*want <= after {
				want++
			}
			if after < 0 {
				want = 0
			}
			if err != nil || got != want {
				t.Fatalf("after %d from %d: %d, %v, want %d", after, guess, got, err, want)
			}
			far := max(guess-want, want-guess)
			if most := 18; looked > most || far <= 2 && looked > 5 {
				t.Errorf("after %d from %d, which is %d away: looked at %d records", after, guess, far, looked)
			}
		}
	}
	if got, err := findAfter("0001", 5, 0, nil); got != 0 || err != nil {
		t.Errorf("an empty list: %d, %v", got, err)
	}
	failed, looked := errors.New("gone"), 0
	_, err := findAfter("0100", 5, count, func(i int) (string, error) {
		looked++
		if looked == 2 {
			return "", failed
		}
		return place(i), nil
	})
	if err != failed || looked != 2 {
		t.Errorf("a record that cannot be read: %v after %d", err, looked)
	}
}
