package files

import (
	"context"
	"errors"
	"io/fs"
	"testing"

	"colophon/exports"
	"colophon/worker/edge"
	"colophon/worker/problem"
)

type onlyFiles map[string]string

// Read returns a file.
func (f onlyFiles) Read(_ context.Context, key string) ([]byte, error) {
	body, ok := f[key]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return []byte(body), nil
}

type noRelease struct{}

// Release finds none.
func (noRelease) Release(context.Context) (exports.Release, error) {
	return exports.Release{}, fs.ErrNotExist
}

// TestServe checks which files are answered and which are hidden: those of the
// build are not public.
func TestServe(t *testing.T) {
	s := &Service{Assets: onlyFiles{"about/index.html": "about", "_build/lease.json": "{}"}, Releases: noRelease{}}
	for _, c := range []struct {
		method, path string
		status       int
		code         string
	}{
		{"GET", "/about/", 200, ""},
		{"GET", "/about", 308, ""},
		{"GET", "/_build/lease.json", 0, "not_found"},
		{"GET", "/none/", 0, "not_found"},
		{"POST", "/about/", 0, "method_not_allowed"},
		{"POST", "/none/", 0, "not_found"},
		{"OPTIONS", "/about/", 204, ""},
	} {
		resp, err := s.Serve(t.Context(), &edge.Request{Method: c.method, Path: c.path}, nil)
		var f *problem.Failure
		switch {
		case c.code != "" && (!errors.As(err, &f) || f.Code != c.code):
			t.Errorf("%s %s: %v, want %s", c.method, c.path, err, c.code)
		case c.code == "" && (err != nil || resp.Status != c.status):
			t.Errorf("%s %s: %+v %v, want %d", c.method, c.path, resp, err, c.status)
		}
	}
}
