package main

import (
	"bytes"
	"compress/flate"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestOrderBodies(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	bodies := kinds(random, 30, 10)

	order := orderBodies(bodies)
	sorted := slices.Clone(order)
	slices.Sort(sorted)
	for i, n := range sorted {
		if i != n {
			t.Fatalf("number %d is missing or there twice", i)
		}
	}

	before := deflated(t, bodies, nil)
	after := deflated(t, bodies, order)
	if after*5 > before {
		t.Errorf("%d bytes ordered, %d as they were", after, before)
	}
	if !slices.Equal(order, orderBodies(bodies)) {
		t.Error("another order of the same bodies")
	}
}

func TestOrderOfNone(t *testing.T) {
	if order := orderBodies(nil); len(order) != 0 {
		t.Errorf("order %v of no bodies", order)
	}
	if order := orderBodies([][]byte{{1}, {}}); !slices.Equal(order, []int{0, 1}) {
		t.Errorf("order %v of two bodies without shingles", order)
	}
}

// kinds is variants of random texts of 2 KB in turns: between two variants of
// one text lie all the others, which are more than DEFLATE looks back.
func kinds(random *rand.Rand, texts, variants int) [][]byte {
	var bodies [][]byte
	originals := make([][]byte, texts)
	for i := range originals {
		originals[i] = make([]byte, 2000)
		for at := range originals[i] {
			originals[i][at] = byte(random.UintN(256))
		}
	}
	for v := range variants {
		for _, text := range originals {
			variant := bytes.Clone(text)
			variant[v] ^= 1
			bodies = append(bodies, variant)
		}
	}
	return bodies
}

func deflated(t *testing.T, bodies [][]byte, order []int) int {
	t.Helper()
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	for i := range bodies {
		body := bodies[i]
		if order != nil {
			body = bodies[order[i]]
		}
		if _, err := w.Write(body); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Len()
}
