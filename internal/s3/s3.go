// Package s3 opens buckets of services that speak the S3 API: Amazon's, R2,
// MinIO, Garage and others. It is the one place that knows where credentials
// come from.
package s3

import (
	"fmt"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// Scheme begins the address of a bucket.
const Scheme = "s3://"

// defaultEndpoint is the service of addresses without another.
const defaultEndpoint = "https://s3.amazonaws.com"

// maxTries is how often the client sends a request that failed on the way or
// was answered with 429 or 5xx, with a pause of up to a second between two
// tries. There is no other layer of retries, but for answers that break off (see
// package bucket).
const maxTries = 5

// Options says where a service is.
type Options struct {
	Endpoint string // http(s)://host[:port], "" Amazon's
	Region   string // "" as the service says

	// Transport wraps the transport of the client, nil leaves it alone.
	Transport func(http.RoundTripper) http.RoundTripper

	// Connections is how many idle connections are kept, 0 the client's default.
	Connections int
}

// Bucket is a bucket, or the part of one below a prefix.
type Bucket struct {
	Client *minio.Core
	Name   string
	Prefix string // "" or with a final slash
}

// String returns the address of the bucket.
func (b *Bucket) String() string {
	return Scheme + b.Name + "/" + strings.TrimSuffix(b.Prefix, "/")
}

// Open opens the bucket at an address, s3://bucket/prefix, without asking the
// service. Credentials come from the environment, the file of shared
// credentials or the machine's role, in this order.
func Open(address string, opt Options) (*Bucket, error) {
	name, prefix, err := parseAddress(address)
	if err != nil {
		return nil, err
	}
	endpoint, err := parseEndpoint(opt.Endpoint)
	if err != nil {
		return nil, err
	}
	transport, err := newTransport(endpoint, opt)
	if err != nil {
		return nil, err
	}

	client, err := minio.NewCore(endpoint.Host, &minio.Options{
		Creds: credentials.NewChainCredentials([]credentials.Provider{
			&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}, &credentials.IAM{Client: http.DefaultClient},
		}),
		Secure:     endpoint.Scheme == "https",
		Region:     opt.Region,
		MaxRetries: maxTries,
		Transport:  transport,
	})
	if err != nil {
		return nil, fmt.Errorf("the S3 endpoint %q: %w", endpoint, err)
	}
	return &Bucket{Client: client, Name: name, Prefix: prefix}, nil
}

// ExplainRefusal says where credentials come from, when the service refused a
// request and there are none. It says nothing about other errors.
func (b *Bucket) ExplainRefusal(err error) string {
	if answer := minio.ToErrorResponse(err); answer.StatusCode != http.StatusForbidden && answer.StatusCode != http.StatusUnauthorized {
		return ""
	}
	if have, err := b.Client.GetCreds(); err == nil && have.AccessKeyID != "" {
		return ""
	}
	return "; no credentials were found: set $AWS_ACCESS_KEY_ID and $AWS_SECRET_ACCESS_KEY, put them into the file of shared credentials (~/.aws/credentials), or give the machine a role"
}

func parseAddress(address string) (name, prefix string, err error) {
	rest, found := strings.CutPrefix(address, Scheme)
	name, prefix, _ = strings.Cut(rest, "/")
	prefix = strings.Trim(prefix, "/")
	if !found || name == "" || prefix != "" && path.Clean(prefix) != prefix {
		return "", "", fmt.Errorf("%q is not s3://bucket/prefix", address)
	}
	if prefix != "" {
		prefix += "/"
	}
	return name, prefix, nil
}

func parseEndpoint(endpoint string) (*url.URL, error) {
	if endpoint == "" {
		endpoint = defaultEndpoint
	}
	u, err := url.Parse(endpoint)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.Trim(u.Path, "/") != "" {
		return nil, fmt.Errorf("the S3 endpoint %q is not http(s)://host[:port]", endpoint)
	}
	return u, nil
}

func newTransport(endpoint *url.URL, opt Options) (http.RoundTripper, error) {
	transport, err := minio.DefaultTransport(endpoint.Scheme == "https")
	if err != nil {
		return nil, err
	}
	if opt.Connections > 0 {
		transport.MaxIdleConns = opt.Connections
		transport.MaxIdleConnsPerHost = opt.Connections
	}
	if opt.Transport == nil {
		return transport, nil
	}
	return opt.Transport(transport), nil
}
