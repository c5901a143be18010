package main

import (
	"cmp"
	"fmt"
	"slices"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// The sizes of the three tables in Unicode 15.0.0; Hangul is arithmetic and
// not counted.
const (
	wantClasses        = 922
	wantDecompositions = 2061
	wantCompositions   = 941
)

// A pair composes: first and second become composite.
type pair struct{ first, second, composite rune }

// nfcData is everything NFC needs to know about the assigned code points.
type nfcData struct {
	class     map[rune]uint8  // canonical combining class, if not 0
	decompose map[rune][]rune // full canonical decomposition
	excluded  map[rune]bool   // has a decomposition, and NFC never yields it
	pairs     []pair          // sorted by second, then first
}

func collect(assigned []rune) (*nfcData, error) {
	d := &nfcData{class: map[rune]uint8{}, decompose: map[rune][]rune{}, excluded: map[rune]bool{}}
	for _, r := range assigned {
		s := string(r)
		if class := norm.NFD.PropertiesString(s).CCC(); class != 0 {
			d.class[r] = class
		}
		if hangul(r) || norm.NFD.String(s) == s {
			continue
		}
		d.decompose[r] = []rune(norm.NFD.String(s))
		if norm.NFC.String(s) != s {
			d.excluded[r] = true
			continue
		}
		p, err := split(r, d.decompose[r])
		if err != nil {
			return nil, err
		}
		d.pairs = append(d.pairs, p)
	}
	slices.SortFunc(d.pairs, func(a, b pair) int {
		return cmp.Or(cmp.Compare(a.second, b.second), cmp.Compare(a.first, b.first))
	})
	return d, d.check()
}

func hangul(r rune) bool { return r >= 0xAC00 && r <= 0xD7A3 }

// split finds the two characters that compose to r: the last of its full
// decomposition and the composition of those before it.
func split(r rune, parts []rune) (pair, error) {
	second := parts[len(parts)-1]
	first, size := utf8.DecodeRuneInString(norm.NFC.String(string(parts[:len(parts)-1])))
	joined := string(first) + string(second)
	if size != len(norm.NFC.String(string(parts[:len(parts)-1]))) || norm.NFC.String(joined) != string(r) {
		return pair{}, fmt.Errorf("%U is not composed of a pair", r)
	}
	return pair{first, second, r}, nil
}

// check holds the sizes and the two properties on which the reader's quick
// path stands: a composite begins with a starter that composes with nothing
// before it, and no class reaches the mark for "may compose backwards".
func (d *nfcData) check() error {
	if len(d.class) != wantClasses || len(d.decompose) != wantDecompositions || len(d.pairs) != wantCompositions {
		return fmt.Errorf("%d classes, %d decompositions, %d compositions; want %d, %d, %d",
			len(d.class), len(d.decompose), len(d.pairs), wantClasses, wantDecompositions, wantCompositions)
	}
	seconds := d.seconds()
	for _, p := range d.pairs {
		head := d.decompose[p.composite][0]
		if d.class[head] != 0 || seconds[head] {
			return fmt.Errorf("composite %U begins with %U, which can join what is before it", p.composite, head)
		}
	}
	return nil
}

// seconds returns the characters that may compose with one before them.
func (d *nfcData) seconds() map[rune]bool {
	set := map[rune]bool{}
	for _, p := range d.pairs {
		set[p.second] = true
	}
	for r := rune(0x1161); r <= 0x1175; r++ {
		set[r] = true
	}
	for r := rune(0x11A8); r <= 0x11C2; r++ {
		set[r] = true
	}
	return set
}
