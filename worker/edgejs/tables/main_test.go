package main

import (
	"bytes"
	"os"
	"testing"
)

func TestTablesAreCurrent(t *testing.T) {
	want, err := writeTables()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../js/tables.mjs")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("js/tables.mjs is not current: run go generate ./worker/edgejs")
	}
}
