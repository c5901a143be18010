package starting

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/url"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"colophon/generator"
	"colophon/internal/cli"
	"colophon/internal/cli/building"
	"colophon/internal/cli/importing"
	"colophon/internal/cli/publishers"
	"colophon/internal/cli/records"
	"colophon/internal/cli/serving"
	"colophon/internal/enrol"
	"colophon/internal/intake"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/prose"
	"colophon/internal/registry"
	"colophon/internal/registrydir"
	"colophon/internal/server"
	"colophon/internal/urlkey"
	"colophon/internal/usage"
	"colophon/internal/wire"
)

// firstSite is what "init --from" does after init: it adds a publisher by its
// address, imports its pages, builds and serves. It leaves what already exists
// as it is, so that an interrupted start can be repeated.
type firstSite struct {
	from  string
	addr  string
	still bool
	look  cli.LookFlags
}

func (s *firstSite) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&s.from, "from", "", "address of a publisher's site: add it, import its pages, build, and serve the result")
	f.StringVar(&s.addr, "addr", serving.DefaultAddr, "with --from: address to listen on")
	f.BoolVar(&s.still, "no-serve", false, "with --from: end after the build")
	f.BoolVar(&s.look.Opt.AllowPrivate, "allow-private", false, "with --from: allow loopback, private and link-local addresses")
	f.StringSliceVar(&s.look.Connect, "connect-to", nil, "with --from: HOST:PORT=ADDRESS:PORT to dial instead")
	f.StringVar(&s.look.DNS, "dns", "", "with --from: HOST:PORT of the DNS server to ask, instead of the system's")
}

// home returns the address of the home page of the site.
func (s *firstSite) home() (string, error) {
	address := s.from
	if !strings.Contains(address, "://") {
		address = "https://" + address
	}
	home, err := urlkey.Address(address)
	if err != nil || home != "https://"+urlkey.HostOf(home)+"/" {
		return "", usage.Errorf("--from %q must be the home of a site, such as site.example or https://site.example/", s.from)
	}
	return home, nil
}

// startFrom creates a registry of one publisher.
func startFrom(ctx context.Context, e *cli.Env, set registrydir.Settings, s *firstSite) error {
	home, err := s.home()
	if err != nil {
		return err
	}
	if set.Contact == "" && !s.look.Opt.AllowPrivate {
		return usage.Errorf("--from needs --contact: the address that the importer sends to the sites that it reads")
	}
	if _, err := os.Stat(e.File(registrydir.SettingsFile)); errors.Is(err, fs.ErrNotExist) {
		if _, err := createRegistry(ctx, e, set); err != nil {
			return err
		}
		e.PrintNote("made a registry in %s", e.Path)
	} else {
		e.PrintNote("continuing with the registry in %s", e.Path)
	}
	if set, err = e.ReadSettings(); err != nil {
		return err
	}
	if err := s.look.Read(set); err != nil {
		return err
	}
	site, err := startPublisher(ctx, e, home, s)
	if err != nil {
		return err
	}
	imported, err := startImport(ctx, e, site, s)
	if err != nil {
		return fmt.Errorf("%w; publisher %s exists: continue with \"colophon import SOURCE --site %s --dir %s\"", err, site.SiteID, site.SiteID, e.Path)
	}
	report, err := building.Build(ctx, e, set, e.OutFolder(set, ""), building.Options{})
	if err != nil {
		return err
	}
	e.Next = nil // the next steps of import and build are already done
	tell := func() error { return tellStart(ctx, e, set, site, imported, report) }
	if s.still {
		e.PrintNext("colophon serve --dir %s", e.Path)
		return tell()
	}
	ctx = origin.WithAct(ctx, nil) // what the server does is not an act of the operator
	store, done, err := e.OpenServing(ctx)
	if err != nil {
		return err
	}
	defer done()
	listener, err := server.Listen(s.addr, "--addr")
	if err != nil {
		return err
	}
	defer listener.Close()
	ready := func() {
		if err := tell(); err != nil {
			e.PrintWarning("%v", err)
		}
		e.PrintNote("serving http://%s", listener.Addr())
	}
	set.Server.LogLevel = cmp.Or(set.Server.LogLevel, "warn")
	return serving.Serve(ctx, e, serving.Server{Settings: set, Listener: listener, Dir: e.OutFolder(set, ""), Ready: ready}, store)
}

// startPublisher returns the publisher of a home, approved. If it does not
// exist, it is added by its own file or, without one, by its address alone.
func startPublisher(ctx context.Context, e *cli.Env, home string, s *firstSite) (site origin.Site, err error) {
	find := func(store *originsql.Store) error {
		sites, err := store.Sites(ctx)
		for _, x := range sites {
			if x.SiteURL == home {
				site = x
			}
		}
		return err
	}
	if err := e.WithStore(ctx, find); err != nil {
		return site, err
	}
	if site.SiteID == "" {
		if site, err = addFrom(ctx, e, home, s); err != nil {
			return site, err
		}
		e.PrintNote("added publisher %s", site.SiteID)
	}
	if site.State == origin.Approved {
		return site, nil
	}
	err = e.WithStore(ctx, func(store *originsql.Store) (err error) {
		site, err = enrol.SetState(ctx, store, site, origin.Approved, "", cli.Now())
		return err
	})
	return site, err
}

func addFrom(ctx context.Context, e *cli.Env, home string, s *firstSite) (site origin.Site, err error) {
	added, err := publishers.TakeByFile(ctx, e, home, &s.look)
	if err == nil {
		return added.Site, nil
	}
	if !errors.Is(err, enrol.ErrNoFile) {
		return site, err
	}
	e.PrintNote("%v", err)
	host := urlkey.HostOf(home)
	id := enrol.SiteID(host, nil)
	source, err := records.SourceOf(wire.M("publishers", wire.Array(wire.Object(
		wire.M("site_id", wire.String(id)), wire.M("name", wire.String(urlkey.DisplayHost(host))), wire.M("site_url", wire.String(home))))))
	if err != nil {
		return site, err
	}
	err = records.ApplySources(ctx, e, []registry.Source{source}, nil, func(*registry.Plan) error {
		return e.WithStore(ctx, func(store *originsql.Store) (err error) {
			site, err = store.Site(ctx, id)
			return err
		})
	})
	return site, err
}

// startImport imports from the sources that the site names, else from its home.
// It imports nothing if pages are already registered.
func startImport(ctx context.Context, e *cli.Env, site origin.Site, s *firstSite) (total []intake.Summary, err error) {
	var have []origin.Page
	err = e.WithStore(ctx, func(store *originsql.Store) (err error) {
		have, err = store.PagesOf(ctx, site.SiteID, "", 1)
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(have) > 0 {
		e.PrintNote("pages of %s are registered: nothing is imported", site.SiteID)
		return nil, nil
	}
	opt := s.look.Opt
	opt.SiteID = site.SiteID
	sources, _, err := importing.SourcesOf(ctx, e, opt)
	if err != nil {
		return nil, err
	}
	if len(sources) == 0 {
		sources = []string{site.SiteURL}
	}
	for _, source := range sources {
		opt.Source = source
		e.PrintNote("importing %s", source)
		err := importing.ImportPages(ctx, e, opt, importing.FailOverDefault, func(sum intake.Summary) error {
			total = append(total, sum)
			return nil
		})
		if err != nil {
			return total, fmt.Errorf("%s: %w", source, err)
		}
	}
	return total, nil
}

// tellStart prints what was created, and what needs a decision.
func tellStart(ctx context.Context, e *cli.Env, set registrydir.Settings, site origin.Site, imported []intake.Summary, report generator.Report) error {
	decide, err := decisions(ctx, e, set, site.SiteID)
	if err != nil {
		return err
	}
	failed := 0
	for i := range imported {
		failed += imported[i].Failed.Count()
	}
	row := map[string]any{
		"dir": e.Path, "site_id": site.SiteID, "pages": report.Pages, "failed": failed, "files": report.Files, "release": report.Release.Name, "base_url": set.BaseURL, "decide": decide,
	}
	return e.PrintResult(row, func(w io.Writer) {
		fmt.Fprintf(w, "publisher %s, %s in release %s of %s\n", site.SiteID, prose.Counted(int64(report.Pages), "page", "pages"), report.Release.Name, set.BaseURL)
		if failed > 0 {
			fmt.Fprintf(w, "%s could not be read\n", prose.Counted(int64(failed), "page", "pages"))
		}
		for _, d := range decide {
			fmt.Fprintf(w, "decide: %s\n", d)
		}
	})
}

// decisions returns what only the operator can decide about a new registry,
// each with the command for it.
func decisions(ctx context.Context, e *cli.Env, set registrydir.Settings, siteID string) (list []string, err error) {
	list = []string{}
	err = e.WithStore(ctx, func(store *originsql.Store) error {
		site, err := store.Site(ctx, siteID)
		if err != nil {
			return err
		}
		if site.DomainControl == "none" {
			list = append(list, fmt.Sprintf("nothing shows who controls %s: \"colophon publisher show %s --dir %s\" has the proofs that count", urlkey.Display(site.SiteURL), siteID, e.Path))
		}
		waiting, err := store.ExtractionsInReview(ctx, siteID, origin.ReviewWaiting, "", mostReviews)
		if n := len(waiting); n > 0 {
			list = append(list, fmt.Sprintf("%s in review are not signed: \"colophon review list --site %s --dir %s\"", prose.Counted(int64(n), "page", "pages"), siteID, e.Path))
		}
		return err
	})
	if base, bad := url.Parse(set.BaseURL); bad == nil && (!strings.Contains(base.Hostname(), ".") || net.ParseIP(base.Hostname()) != nil) {
		list = append(list, fmt.Sprintf("records name %s: set \"base_url\" in %s to the public address before you publish", set.BaseURL, e.File(registrydir.SettingsFile)))
	}
	return list, err
}

// mostReviews is how many pages in review are counted.
const mostReviews = 10_000
