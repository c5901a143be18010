package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"colophon/internal/s3/s3test"
)

// sameBuilds compares two folders of builds, notes included.
func sameBuilds(t *testing.T, whole, joined string) {
	t.Helper()
	want, got := treeDigest(t, whole), treeDigest(t, joined)
	for name, digest := range want {
		if got[name] != digest {
			t.Errorf("%s is not as in a whole build", name)
		}
	}
	if len(got) != len(want) || len(want) < 100 {
		t.Errorf("%d files, a whole build has %d", len(got), len(want))
	}
}

// TestBuildInParts makes parts in one folder and in a bucket, and joins them.
func TestBuildInParts(t *testing.T) {
	o := newOperator(t)
	o.ok("corpus", "--publishers", "4", "--pages", "40")
	whole, joined := filepath.Join(o.dir, "whole"), filepath.Join(o.dir, "joined")
	segments := []string{"build", "--form", "segments", "--out"}
	o.ok(append(segments, whole)...) // which fills the ledger
	o.ok(append(segments, joined+"0")...)

	for _, part := range []string{"2/3", "1/3", "3/3", "2/3"} {
		o.ok(append(segments, joined, "--part", part)...)
	}
	if _, err := os.Stat(joined); err == nil {
		t.Error("a part wrote into the folder of the build")
	}
	code, out, errs := o.run(append(segments, joined, "--join")...)
	if code != exitOK || !strings.Contains(out, "40 entries, 0 signatures of 3 parts") || strings.Contains(errs, "not used") {
		t.Errorf("%d %s %s", code, out, errs)
	}
	sameBuilds(t, whole, joined)
	if _, err := os.Stat(filepath.Join(o.dir, ".joined.parts")); err == nil {
		t.Error("parts are left after the join")
	}

	o.no(exitUsage, "no part of a build", "build", "--part", "4/3")
	o.no(exitUsage, "two calls", "build", "--part", "1/3", "--join")
	o.no(exitUsage, "--dry-run", "build", "--part", "1/3", "--dry-run")
	o.no(exitUsage, "colophon publish", "build", "--to", "s3://bucket")
}

// TestBuildInPartsOfBucket does so in a bucket, where readers see nothing before
// the join.
func TestBuildInPartsOfBucket(t *testing.T) {
	endpoint, objects := s3test.Start(t)
	o := newOperator(t)
	o.ok("corpus", "--publishers", "4", "--pages", "40")
	whole, joined := filepath.Join(o.dir, "whole"), filepath.Join(o.dir, "joined")
	o.ok("build", "--form", "segments", "--out", whole)
	stored := filepath.Join(objects, "registry")
	call := func(args ...string) []string {
		return append([]string{"build", "--form", "segments", "--out", joined, "--to", "s3://" + s3test.Bucket + "/registry", "--endpoint", endpoint}, args...)
	}
	for _, part := range []string{"3/4", "1/4", "4/4", "1/4"} { // the second is missing
		o.ok(call("--part", part)...)
	}
	for name := range treeDigest(t, stored) {
		if !strings.HasPrefix(name, "_build/parts/") {
			t.Errorf("a part wrote %s", name)
		}
	}
	code, out, errs := o.run(call("--join", "--quiet")...)
	if code != exitOK || !strings.Contains(errs, "warning: part 2/4 is not there") || !strings.Contains(out, "published release") {
		t.Errorf("%d %s %s", code, out, errs)
	}
	sameBuilds(t, whole, joined)
	sameAsBuilt(t, whole, stored)
	for name := range treeDigest(t, stored) {
		if strings.HasPrefix(name, "_build/parts/") && !strings.HasSuffix(name, "/") {
			t.Errorf("%s is left", name)
		}
	}

	before := treeDigest(t, stored)
	o.ok(call("--part", "2/4")...) // a part too many
	if code, out, errs := o.run(call("--join", "--json")...); code != exitOK || !strings.Contains(out, `"files_changed":0`) || !strings.Contains(out, `"objects_sent":0`) {
		t.Errorf("%d %s %s", code, out, errs)
	}
	after := treeDigest(t, stored)
	for name, digest := range before {
		if after[name] != digest && !strings.HasPrefix(name, "_build/lease") {
			t.Errorf("a part too many changed %s", name)
		}
	}
	if len(after) != len(before) {
		t.Errorf("a part too many: %d objects, before %d", len(after), len(before))
	}
}
