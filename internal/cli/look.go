package cli

import (
	"cmp"
	"context"
	"errors"
	"net"
	"strings"

	"github.com/spf13/cobra"

	"colophon/internal/extract"
	"colophon/internal/intake"
	"colophon/internal/originsql"
	"colophon/internal/registrydir"
	"colophon/internal/usage"
)

// LookFlags say how sites are reached.
type LookFlags struct {
	Opt     intake.Options
	Connect []string
	DNS     string
}

// AddFlags adds all but --dns.
func (l *LookFlags) AddFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&l.Opt.Contact, "contact", "", "address in the User-Agent (default: the setting \"contact\")")
	f.BoolVar(&l.Opt.AllowPrivate, "allow-private", false, "allow loopback, private and link-local addresses")
	f.StringSliceVar(&l.Connect, "connect-to", nil, "HOST:PORT=ADDRESS:PORT to dial instead")
}

// AddDNS adds --dns.
func (l *LookFlags) AddDNS(cmd *cobra.Command) {
	cmd.Flags().StringVar(&l.DNS, "dns", "", "HOST:PORT of the DNS server to ask, instead of the system's")
}

// Read reads the flags, and what they leave to the settings.
func (l *LookFlags) Read(s registrydir.Settings) (err error) {
	l.Opt.Contact = cmp.Or(l.Opt.Contact, s.Contact)
	l.Opt.Registry = s.BaseURL
	l.Opt.ConnectTo = map[string]string{}
	for _, c := range l.Connect {
		from, to, ok := strings.Cut(c, "=")
		if !ok || from == "" || to == "" {
			return usage.Errorf("--connect-to %q must be HOST:PORT=ADDRESS:PORT", c)
		}
		l.Opt.ConnectTo[from] = to
	}
	l.Opt.Resolver, err = ResolverAt(l.DNS)
	return err
}

// ReadLook reads the flags that say how sites are reached, in the name of this
// registry.
func (e *Env) ReadLook(l *LookFlags) error {
	s, err := e.ReadSettings()
	if err != nil {
		return err
	}
	return l.Read(s)
}

// NewProver returns a prover that looks in the name of this registry.
func (e *Env) NewProver(l *LookFlags) (*intake.Prover, error) {
	if err := e.ReadLook(l); err != nil {
		return nil, err
	}
	p, err := intake.NewProver(l.Opt)
	return p, IntakeError(err)
}

// Look runs a command that looks at sites, with the origin open.
func (e *Env) Look(ctx context.Context, l *LookFlags, run func(*intake.Prover, *originsql.Store) error) error {
	p, err := e.NewProver(l)
	if err != nil {
		return err
	}
	defer p.Close()
	return e.WithStore(ctx, func(store *originsql.Store) error { return run(p, store) })
}

// ResolverAt returns a resolver that uses one DNS server, or those of the
// system for "".
func ResolverAt(server string) (*net.Resolver, error) {
	if server == "" {
		return net.DefaultResolver, nil
	}
	if _, _, err := net.SplitHostPort(server); err != nil {
		return nil, usage.Errorf("--dns %q must be HOST:PORT", server)
	}
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, network, server)
	}}, nil
}

// IntakeError turns an import's error that other options would avoid into a
// usage error.
func IntakeError(err error) error {
	if errors.Is(err, intake.ErrUsage) || errors.Is(err, extract.ErrSelector) {
		return usage.Wrap(err)
	}
	return err
}
