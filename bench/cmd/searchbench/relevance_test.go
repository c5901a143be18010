package main

import (
	"context"
	"testing"
)

func TestRelevance(t *testing.T) {
	mean, each, err := relevance(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for q, g := range each {
		if g < 0.6 {
			t.Errorf("%q: nDCG@10 %.2f", q, g)
		}
	}
	if mean < 0.9 || len(each) < 30 {
		t.Errorf("mean %.3f over %d questions", mean, len(each))
	}
}
