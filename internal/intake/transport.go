package intake

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"

	"colophon/internal/urlkey"
)

// transportProblem sorts an error of the network.
func transportProblem(err error) *problem {
	var refused *addressError
	var dns *net.DNSError
	var cert *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var wait net.Error
	switch {
	case errors.As(err, &refused):
		return systemProblem("private_address", "its name leads to a private address", fmt.Errorf("%w; --allow-private allows it", refused))
	case errors.Is(err, context.Canceled):
		return failedProblem("interrupted", "the import was stopped")
	case errors.As(err, &dns) && dns.IsNotFound:
		return systemProblem("unknown_host", "DNS has no such host", dns)
	case errors.As(err, &dns):
		return systemProblem("unknown_host", "DNS did not say where the host is", dns)
	case errors.As(err, &cert), errors.As(err, &record):
		return systemProblem("bad_certificate", "its certificate is not valid for it", err)
	case errors.As(err, &wait) && wait.Timeout():
		return systemProblem("timeout", "it did not answer in time", err)
	}
	return systemProblem("unreachable", "it cannot be reached", err)
}

// systemProblem describes an error of the network in words that may be shown to
// anyone, and keeps what the system said apart.
func systemProblem(code, detail string, err error) *problem {
	p := failedProblem(code, "%s", detail)
	p.system = clipText(err.Error(), 300)
	return p
}

// parseAddress reads an absolute http or https address, or one relative to base,
// in the form in which it is requested: host in lower-case ASCII, no user
// information, no fragment. It accepts what browsers accept.
func parseAddress(raw string, base *url.URL) (*url.URL, error) {
	raw = strings.TrimSpace(raw)
	if raw == "" {
		return nil, errors.New("it is empty")
	}
	if len(raw) > 2048 {
		return nil, errors.New("it is longer than 2048 bytes")
	}
	u, err := url.Parse(urlkey.Reference(raw))
	if err != nil {
		if canonical, odd := urlkey.Address(raw); odd == nil {
			return url.Parse(canonical)
		}
		var wrapped *url.Error
		if errors.As(err, &wrapped) {
			err = wrapped.Err
		}
		return nil, err
	}
	if base != nil {
		u = base.ResolveReference(u)
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("it is not an http or https address")
	}
	if u.User != nil {
		return nil, errors.New("it carries a user name")
	}
	if err := plainHost(u); err != nil {
		return nil, err
	}
	u.Fragment, u.RawFragment = "", ""
	if u.Path == "" {
		u.Path = "/"
	}
	return u, nil
}

func plainHost(u *url.URL) error {
	host, port := u.Hostname(), u.Port()
	if host == "" {
		return errors.New("it has no host")
	}
	if strings.Contains(host, ":") {
		u.Host = strings.ToLower(u.Host)
		return nil
	}
	ascii, ok := urlkey.ASCIIHost(host)
	if isLocal := net.ParseIP(host) != nil || strings.Trim(strings.ToLower(host), localLetters) == ""; !ok && isLocal {
		ascii, ok = strings.ToLower(host), true
	}
	if !ok {
		return errors.New("its host " + strconv.Quote(host) + " is no host name")
	}
	if u.Host = ascii; port != "" {
		u.Host += ":" + port
	}
	return nil
}

// localLetters are the characters of names that are known in one network only.
const localLetters = "abcdefghijklmnopqrstuvwxyz0123456789-_"
