package cli

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"colophon/generator"
	"colophon/generator/target/bucket"
)

// ReadRelease says which release a build in a folder is.
func ReadRelease(dir, baseURL string) (bucket.Release, error) {
	p, err := generator.ReadPublished(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return bucket.Release{}, fmt.Errorf("there is no build in %q; make one with \"colophon build\"", dir)
	}
	if err != nil {
		return bucket.Release{}, err
	}
	return bucket.Release{Name: p.Release, BaseURL: baseURL, Changes: p.Changes, Latest: p.Latest}, nil
}

// AddEndpoint adds --endpoint, by default the S3 service that the environment
// names.
func (e *Env) AddEndpoint(cmd *cobra.Command, endpoint *string) {
	named := e.Getenv("AWS_ENDPOINT_URL_S3")
	if named == "" {
		named = e.Getenv("AWS_ENDPOINT_URL")
	}
	cmd.Flags().StringVar(endpoint, "endpoint", named, "address of the S3 service ($AWS_ENDPOINT_URL_S3; default: Amazon's)")
}

// ErrFindings says that something that was verified is not as it should be.
var ErrFindings = errors.New("verification failed")
