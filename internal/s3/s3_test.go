package s3

import "testing"

func TestOpen(t *testing.T) {
	for _, tc := range []struct{ address, endpoint, name, prefix string }{
		{"s3://shelf", "", "shelf", ""},
		{"s3://shelf/", "https://s3.example", "shelf", ""},
		{"s3://shelf/a/b/", "http://127.0.0.1:9000/", "shelf", "a/b/"},
	} {
		b, err := Open(tc.address, Options{Endpoint: tc.endpoint, Region: "auto"})
		if err != nil {
			t.Errorf("%s: %v", tc.address, err)
			continue
		}
		if b.Name != tc.name || b.Prefix != tc.prefix {
			t.Errorf("%s: bucket %q, prefix %q", tc.address, b.Name, b.Prefix)
		}
	}
	for _, tc := range []struct{ address, endpoint string }{
		{"", ""},
		{"s3://", ""},
		{"shelf/a", ""},
		{"s3://shelf/a/../b", ""},
		{"s3://shelf", "s3.example"},
		{"s3://shelf", "https://s3.example/path"},
		{"s3://shelf", "ftp://s3.example"},
	} {
		if _, err := Open(tc.address, Options{Endpoint: tc.endpoint}); err == nil {
			t.Errorf("%q at %q was opened", tc.address, tc.endpoint)
		}
	}
}
