package s3

import (
	"errors"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/minio/minio-go/v7"
)

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

// TestExplainRefusal checks that the error for missing credentials says where they
// come from, and that other errors stay as they are.
func TestExplainRefusal(t *testing.T) {
	refused := minio.ErrorResponse{StatusCode: http.StatusForbidden, Code: "AccessDenied"}
	for name, tc := range map[string]struct {
		key  string
		err  error
		want bool
	}{
		"none":               {"", refused, true},
		"none, unauthorized": {"", minio.ErrorResponse{StatusCode: http.StatusUnauthorized}, true},
		"some":               {"key", refused, false},
		"another answer":     {"", minio.ErrorResponse{StatusCode: http.StatusNotFound, Code: minio.NoSuchBucket}, false},
		"no answer":          {"", errors.New("connection refused"), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("AWS_ACCESS_KEY_ID", tc.key)
			t.Setenv("AWS_SECRET_ACCESS_KEY", tc.key)
			t.Setenv("AWS_SHARED_CREDENTIALS_FILE", filepath.Join(t.TempDir(), "none"))
			b, err := Open("s3://shelf", Options{Endpoint: "http://127.0.0.1:1", Region: "auto"})
			if err != nil {
				t.Fatal(err)
			}
			got := b.ExplainRefusal(tc.err)
			if strings.Contains(got, "$AWS_ACCESS_KEY_ID") != tc.want || !tc.want && got != "" {
				t.Errorf("%q", got)
			}
		})
	}
}
