package server

import (
	"cmp"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"time"

	"colophon/exports"
)

// Config is the table [server] of colophon.toml. Zero values are the defaults
// of Defaults.
type Config struct {
	TrustedProxies []string `toml:"trusted_proxies,omitempty" comment:"Addresses and networks of the proxies in front of the server. Only they may state a client's address."`
	TrustedHeader  string   `toml:"trusted_header,omitempty" comment:"The only header from which a trusted proxy's client address is read, such as X-Real-IP; without it Forwarded, X-Forwarded-For, X-Real-IP and CF-Connecting-IP."`

	AdminAddr    string `toml:"admin_addr,omitempty" comment:"Address for /healthz, /readyz and /metrics, such as 127.0.0.1:9787; without it there are none."`
	RedirectAddr string `toml:"redirect_addr,omitempty" comment:"Address for plain HTTP beside TLS, such as :80: it redirects to base_url and answers ACME challenges."`
	LogFormat    string `toml:"log_format,omitempty" comment:"text or json."`
	LogLevel     string `toml:"log_level,omitempty" comment:"debug, info, warn or error; requests are logged at info, failed ones at warn."`
	LogClients   bool   `toml:"log_clients,omitempty" comment:"Log the networks of clients, which are personal data in many places."`

	TLSCert       string `toml:"tls_cert,omitempty" comment:"Certificate chain in PEM; read again at SIGHUP."`
	TLSKey        string `toml:"tls_key,omitempty" comment:"Its private key in PEM."`
	ACME          bool   `toml:"acme,omitempty" comment:"Get certificates for the host of base_url by ACME. This accepts the terms of the ACME server."`
	ACMEEmail     string `toml:"acme_email,omitempty" comment:"Where the ACME server can reach the operator."`
	ACMEDirectory string `toml:"acme_directory,omitempty" comment:"Directory URL of the ACME server; without it that of Let's Encrypt."`
	ACMERoots     string `toml:"acme_roots,omitempty" comment:"Certificates in PEM that alone are trusted when the ACME server is asked."`
	ACMEDir       string `toml:"-"` // folder of account key and certificates

	HeaderTimeout   Duration `toml:"header_timeout,omitempty" comment:"How long a client may take to send the head of a request."`
	BodyTimeout     Duration `toml:"body_timeout,omitempty" comment:"How long it may take to send the body."`
	WriteTimeout    Duration `toml:"write_timeout,omitempty" comment:"How long it may take to read an answer, for each MiB begun."`
	IdleTimeout     Duration `toml:"idle_timeout,omitempty" comment:"How long a connection may wait for its next request."`
	RequestTimeout  Duration `toml:"request_timeout,omitempty" comment:"How long a request may be worked on before it is given up with 504."`
	ShutdownTimeout Duration `toml:"shutdown_timeout,omitempty" comment:"How long requests in flight may take once the server is asked to end."`

	MaxConnections          int `toml:"max_connections,omitempty" comment:"Connections at once."`
	MaxConnectionsPerClient int `toml:"max_connections_per_client,omitempty" comment:"Connections at once of one address; trusted proxies have no such bound."`
	MaxBodies               int `toml:"max_bodies,omitempty" comment:"Request bodies in flight. One more is refused with 503 overloaded."`
	MaxBodiesPerClient      int `toml:"max_bodies_per_client,omitempty" comment:"Request bodies in flight of one client."`
	MaxBodyMemory           int `toml:"max_body_memory_mib,omitempty" comment:"Memory for all request bodies in flight, in MiB. A body for which there is no room is refused with 503 overloaded."`
	MemoryLimit             int `toml:"memory_limit_mib,omitempty" comment:"MiB that the garbage collector keeps the process below if it can; $GOMEMLIMIT goes first."`
	DatabaseConnections     int `toml:"database_connections,omitempty" comment:"Open handles of the origin store."`

	Concurrency map[string]int64 `toml:"concurrency,omitempty" comment:"Requests of a class that are worked on at once: files, search, reads, writes, streams. Others wait their turn."`
}

// Defaults returns the settings of a server that configures none.
func Defaults() Config {
	cores := int64(runtime.GOMAXPROCS(0))
	return Config{
		HeaderTimeout:   Duration(10 * time.Second),
		BodyTimeout:     Duration(30 * time.Second),
		WriteTimeout:    Duration(60 * time.Second),
		IdleTimeout:     Duration(60 * time.Second),
		RequestTimeout:  Duration(30 * time.Second),
		ShutdownTimeout: Duration(15 * time.Second),

		MaxConnections:          4096,
		MaxConnectionsPerClient: 256,
		MaxBodies:               512,
		MaxBodiesPerClient:      64,
		MaxBodyMemory:           64,
		MemoryLimit:             512,
		DatabaseConnections:     8,

		Concurrency: map[string]int64{
			string(exports.LoadFiles):   64,
			string(exports.LoadSearch):  2 * cores,
			string(exports.LoadReads):   4 * cores,
			string(exports.LoadWrites):  64,
			string(exports.LoadStreams): 64,
		},
	}
}

// With returns c, with the settings in flags replacing its own; lists are
// joined.
func (c Config) With(flags Config) Config {
	c.TrustedProxies = append(slices.Clip(c.TrustedProxies), flags.TrustedProxies...)
	c.TrustedHeader = cmp.Or(flags.TrustedHeader, c.TrustedHeader)
	c.AdminAddr = cmp.Or(flags.AdminAddr, c.AdminAddr)
	c.RedirectAddr = cmp.Or(flags.RedirectAddr, c.RedirectAddr)
	c.LogFormat = cmp.Or(flags.LogFormat, c.LogFormat)
	c.LogLevel = cmp.Or(flags.LogLevel, c.LogLevel)
	c.TLSCert = cmp.Or(flags.TLSCert, c.TLSCert)
	c.TLSKey = cmp.Or(flags.TLSKey, c.TLSKey)
	c.ACMEEmail = cmp.Or(flags.ACMEEmail, c.ACMEEmail)
	c.ACMEDirectory = cmp.Or(flags.ACMEDirectory, c.ACMEDirectory)
	c.ACMERoots = cmp.Or(flags.ACMERoots, c.ACMERoots)
	c.ACME = c.ACME || flags.ACME
	return c
}

// Check returns an ErrConfig that says what is wrong with a configuration: a
// negative number, for instance, or a class that does not exist.
func (c Config) Check() error {
	_, err := c.withDefaults()
	return err
}

func (c Config) withDefaults() (Config, error) {
	d := Defaults()
	err := cmp.Or(
		complete("header_timeout", &c.HeaderTimeout, d.HeaderTimeout),
		complete("body_timeout", &c.BodyTimeout, d.BodyTimeout),
		complete("write_timeout", &c.WriteTimeout, d.WriteTimeout),
		complete("idle_timeout", &c.IdleTimeout, d.IdleTimeout),
		complete("request_timeout", &c.RequestTimeout, d.RequestTimeout),
		complete("shutdown_timeout", &c.ShutdownTimeout, d.ShutdownTimeout),
		complete("max_connections", &c.MaxConnections, d.MaxConnections),
		complete("max_connections_per_client", &c.MaxConnectionsPerClient, d.MaxConnectionsPerClient),
		complete("max_bodies", &c.MaxBodies, d.MaxBodies),
		complete("max_bodies_per_client", &c.MaxBodiesPerClient, d.MaxBodiesPerClient),
		complete("max_body_memory_mib", &c.MaxBodyMemory, d.MaxBodyMemory),
		complete("memory_limit_mib", &c.MemoryLimit, d.MemoryLimit),
		complete("database_connections", &c.DatabaseConnections, d.DatabaseConnections),
		c.completeConcurrency(d.Concurrency),
	)
	return c, err
}

// complete replaces a setting of zero by its default. It returns ErrConfig for a
// negative one.
func complete[T ~int | ~int64](name string, value *T, usual T) error {
	if *value < 0 {
		return fmt.Errorf("%w: %s is negative", ErrConfig, name)
	}
	*value = cmp.Or(*value, usual)
	return nil
}

func (c *Config) completeConcurrency(defaults map[string]int64) error {
	all := maps.Clone(defaults)
	for name, n := range c.Concurrency {
		if _, known := defaults[name]; !known || n < 1 {
			return fmt.Errorf("%w: concurrency of %q is %d; the classes are files, search, reads, writes and streams, each at least 1", ErrConfig, name, n)
		}
		all[name] = n
	}
	c.Concurrency = all
	return nil
}

// Duration is a time.Duration written as "30s" or "2m".
type Duration time.Duration

// UnmarshalText reads a duration as time.ParseDuration does.
func (d *Duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	*d = Duration(v)
	return err
}

// MarshalText writes it as time.Duration does.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }
