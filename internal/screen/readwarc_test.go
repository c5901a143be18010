package screen

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// record returns a record of a WET file whose stated length is wrong by off.
func record(n, off int) string {
	text := fmt.Sprintf("text of record %d, which is long enough to be one\r\n\r\nand goes on", n)
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: https://a.example/%d\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", n, len(text)+off, text)
}

func gzipped(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	must(t, z.Close())
	return b.Bytes()
}

// readRows returns for each row the number in its address, or "fault".
func readRows(data []byte) (rows []string, err error) {
	err = readWARC(bytes.NewReader(data), func(r Row) error {
		switch {
		case r.Fault != "":
			rows = append(rows, "fault")
		case !strings.HasPrefix(r.Text, "text of record") || !strings.HasSuffix(r.Text, "goes on"):
			rows = append(rows, "text "+r.Text)
		default:
			rows = append(rows, strings.TrimPrefix(r.URL, "https://a.example/"))
		}
		return nil
	})
	return rows, err
}

// TestBrokenRecordsHideNoOther breaks the second of four records in each way.
func TestBrokenRecordsHideNoOther(t *testing.T) {
	four := func(second string) string { return record(1, 0) + second + record(3, 0) + record(4, 0) }
	damaged := gzipped(t, record(2, 0))
	damaged[len(damaged)/2] ^= 0xff
	members := slices.Concat(gzipped(t, record(1, 0)), damaged, gzipped(t, record(3, 0)), gzipped(t, record(4, 0)))
	header := slices.Concat(gzipped(t, record(1, 0)), []byte("noise \x1f\x8b\x08 noise"), gzipped(t, record(3, 0)), gzipped(t, record(4, 0)))
	for name, data := range map[string][]byte{
		"length too small":  []byte(four(record(2, -20))),
		"length too large":  []byte(four(record(2, 20))),
		"length of all":     []byte(four(record(2, 100_000))),
		"length of no file": []byte(four(record(2, 1<<40))),
		"no length":         []byte(four(strings.Replace(record(2, 0), "Content-Length", "Content-Size", 1))),
		"negative length":   []byte(four(strings.Replace(record(2, 0), "Content-Length: ", "Content-Length: -", 1))),
		"no header":         []byte(four("noise\r\n\r\n")),
		"damaged member":    members,
		"noise in place":    header,
		"one member":        gzipped(t, four(record(2, 20))),
	} {
		rows, err := readRows(data)
		if err != nil || !slices.Equal(rows, []string{"1", "fault", "3", "4"}) {
			t.Errorf("%s: %q, %v", name, rows, err)
		}
	}
	for off := -lengthSlack; off <= lengthSlack; off++ {
		if rows, err := readRows([]byte(four(record(2, off)))); err != nil || !slices.Equal(rows, []string{"1", "2", "3", "4"}) {
			t.Errorf("length wrong by %d: %q, %v", off, rows, err)
		}
		if rows, err := readRows([]byte(record(1, 0) + record(2, min(off, 0)))); err != nil || !slices.Equal(rows, []string{"1", "2"}) {
			t.Errorf("length of the last record wrong by %d: %q, %v", min(off, 0), rows, err)
		}
	}
	for _, off := range []int{-lengthSlack - 1, lengthSlack + 1} {
		if rows, err := readRows([]byte(four(record(2, off)))); err != nil || !slices.Equal(rows, []string{"1", "fault", "3", "4"}) {
			t.Errorf("length wrong by %d: %q, %v", off, rows, err)
		}
	}
	whole := []byte(four(record(2, 0)))
	if rows, err := readRows(whole); err != nil || !slices.Equal(rows, []string{"1", "2", "3", "4"}) {
		t.Errorf("whole: %q, %v", rows, err)
	}
	for name, data := range map[string][]byte{"plain": whole[:len(whole)-40], "gzip": members[:len(members)-30]} {
		rows, err := readRows(data)
		if err == nil || !slices.Contains(rows, "3") || rows[len(rows)-1] != "fault" {
			t.Errorf("cut %s: %q, %v", name, rows, err)
		}
	}
}

// FuzzWARC checks that no input makes the reader panic or loop for ever.
func FuzzWARC(f *testing.F) {
	f.Add([]byte(record(1, 0) + record(2, 20) + record(3, -3)))
	f.Add([]byte("WARC/1.0\r\n\r\nWARC/1.0\r\nContent-Length: 5\r\n\r\n"))
	f.Fuzz(func(_ *testing.T, data []byte) {
		readWARC(io.MultiReader(bytes.NewReader(data)), func(Row) error { return nil }) //nolint:errcheck // any error is fine
	})
}
