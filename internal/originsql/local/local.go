// Package local says how the origin is opened where it is a file of SQLite.
// It brings no driver: the programs import one.
package local

import (
	"net/url"
	"strings"
)

// Address is the data source name of the file at path for the driver "sqlite".
//
// Every commit is on the disk before it is answered (synchronous = FULL): a
// request that was acknowledged, or a right that was taken away, must not come
// back otherwise after a loss of power. The store shares transactions between
// writes, so that this costs little.
func Address(path string) string {
	return address(path, "_pragma=journal_mode(WAL)", "_pragma=synchronous(FULL)", "_pragma=busy_timeout(10000)", "_pragma=foreign_keys(1)", "_txlock=immediate")
}

func address(path string, options ...string) string {
	u := url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: strings.Join(options, "&")}
	return u.String()
}
