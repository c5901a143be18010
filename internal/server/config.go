package server

import "slices"

// Config is the table [server] of colophon.toml. Zero values are the defaults.
type Config struct {
	TrustedProxies []string `toml:"trusted_proxies,omitempty" comment:"Addresses and networks of the proxies in front of the server. Only they may tell the address of a client."`
	TrustedHeader  string   `toml:"trusted_header,omitempty" comment:"The one header by which they tell it, such as X-Real-IP; without it Forwarded, X-Forwarded-For, X-Real-IP and CF-Connecting-IP."`
}

// With returns c with what is set in flags in its place; lists are joined.
func (c Config) With(flags Config) Config {
	c.TrustedProxies = append(slices.Clip(c.TrustedProxies), flags.TrustedProxies...)
	if flags.TrustedHeader != "" {
		c.TrustedHeader = flags.TrustedHeader
	}
	return c
}
