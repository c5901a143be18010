package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"colophon/exports"
	"colophon/generator"
	"colophon/internal/channel/publisherfile"
	"colophon/internal/enrol"
	"colophon/internal/intake"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/registrydir"
	"colophon/internal/urlkey"
	"colophon/internal/usage"
)

// lookFlags tell how sites are reached.
type lookFlags struct {
	opt     intake.Options
	connect []string
	dns     string
}

func (l *lookFlags) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&l.opt.Contact, "contact", "", "address in the User-Agent (default: the setting \"contact\")")
	f.BoolVar(&l.opt.AllowPrivate, "allow-private", false, "allow loopback, private and link-local addresses")
	f.StringSliceVar(&l.connect, "connect-to", nil, "HOST:PORT=ADDRESS:PORT to dial instead")
}

func (l *lookFlags) addDNS(cmd *cobra.Command) {
	cmd.Flags().StringVar(&l.dns, "dns", "", "HOST:PORT of the DNS server to ask, instead of the system's")
}

// read reads the flags, and what they leave to the settings.
func (l *lookFlags) read(s registrydir.Settings) (err error) {
	l.opt.Contact = cmp.Or(l.opt.Contact, s.Contact)
	l.opt.Registry = s.BaseURL
	l.opt.ConnectTo = map[string]string{}
	for _, c := range l.connect {
		from, to, ok := strings.Cut(c, "=")
		if !ok || from == "" || to == "" {
			return usage.Errorf("--connect-to %q must be HOST:PORT=ADDRESS:PORT", c)
		}
		l.opt.ConnectTo[from] = to
	}
	l.opt.Resolver, err = resolverAt(l.dns)
	return err
}

// readLook reads flags that tell how sites are reached, in the name of this registry.
func (e *env) readLook(l *lookFlags) error {
	s, err := e.ReadSettings()
	if err != nil {
		return err
	}
	return l.read(s)
}

// newProver returns a prover that asks in the name of this registry.
func (e *env) newProver(l *lookFlags) (*intake.Prover, error) {
	if err := e.readLook(l); err != nil {
		return nil, err
	}
	p, err := intake.NewProver(l.opt)
	return p, intakeError(err)
}

// resolverAt asks one DNS server, or for "" those of the system.
func resolverAt(server string) (*net.Resolver, error) {
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

// addByFile adds the publisher that stands behind an address, by what its own
// file says, and tells what it did.
func (e *env) addByFile(ctx context.Context, address string, l *lookFlags) error {
	added, err := e.takeByFile(ctx, address, l)
	if err != nil {
		return err
	}
	s, report := added.site, &added.report
	row := siteRow(&s)
	row["file"] = report
	e.printNext("colophon publisher approve %s --dir %s", s.SiteID, e.Path)
	return e.printResult(row, func(w io.Writer) {
		fmt.Fprintf(w, "added %s: %s (%s, %s, %s)\n", s.SiteID, s.Name, urlkey.Shown(s.SiteURL), s.State, s.Visibility)
		printEnrol(w, report, added.own)
	})
}

// taken is a publisher that was added by its file.
type taken struct {
	site   origin.Site
	report enrol.Report
	own    *intake.Own
}

// takeByFile adds the publisher behind an address, pending.
func (e *env) takeByFile(ctx context.Context, address string, l *lookFlags) (*taken, error) {
	home, err := urlkey.Address(address)
	host := urlkey.HostOf(home)
	if err != nil || !strings.HasSuffix(home, "://"+host+"/") || strings.Contains(host, ":") {
		return nil, usage.Errorf("%q must be the address of a site's home, such as https://site.example/", address)
	}
	p, err := e.newProver(l)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	own := p.Find(ctx, host)
	if own.Reading == nil {
		return nil, fmt.Errorf("%w%s", noFile(own), strings.Join(addPrefix("; ", slices.Concat(own.Notes, own.System)), ""))
	}
	store, done, err := e.OpenStore(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	now := nowRFC3339()
	s, err := newSite(ctx, store, host, own, now)
	if err != nil {
		return nil, err
	}
	seen := enrol.LookFrom(ctx, p, s.SiteID, host, own, nil)
	var report enrol.Report
	write := func(store *originsql.Store) error {
		account := origin.Publisher{PublisherID: s.PublisherID, LegalName: own.Reading.LegalName, CreatedAt: now}
		if account.LegalName == "" {
			account.LegalName = s.Name
		}
		if err := store.PutPublisher(ctx, account); err != nil {
			return err
		}
		if err := store.PutSite(ctx, s); err != nil {
			return err
		}
		if report, err = enrol.Take(ctx, store, s.SiteID, seen, now); err != nil {
			return err
		}
		if err := checkTaken(&report); err != nil {
			return err
		}
		return generator.RefreshEvidence(ctx, store, s.SiteID)
	}
	if err := store.Atomically(ctx, func(store *originsql.Store) error { return write(store) }); err != nil {
		return nil, err
	}
	s, err = store.Site(ctx, s.SiteID)
	return &taken{s, report, own}, err
}

// checkTaken refuses to add a publisher of whose home control was not shown.
func checkTaken(r *enrol.Report) error {
	if home := r.Hosts[0]; !enrol.Proven(home.Method) {
		return fmt.Errorf("nothing shows that %s belongs to this publisher: %s", home.Host, strings.Join(home.Why, "; "))
	}
	return nil
}

// errNoFile says that a site has no file of its own.
var errNoFile = errors.New("has no file " + publisherfile.WellKnown + ", and names none in a link or in DNS; see the page \"List your site in ten minutes\"")

func noFile(own *intake.Own) error {
	if own.Gone() {
		return fmt.Errorf("%s %w", own.Host, errNoFile)
	}
	return fmt.Errorf("the file %s cannot be taken: %s", own.Address, own.Problem)
}

func addPrefix(prefix string, list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = prefix + s
	}
	return out
}

// newSite is the pending site of a file, under an id made of its host.
func newSite(ctx context.Context, store *originsql.Store, host string, own *intake.Own, now string) (origin.Site, error) {
	sites, err := store.Sites(ctx)
	if err != nil {
		return origin.Site{}, err
	}
	taken := map[string]bool{}
	for _, s := range sites {
		if u, err := url.Parse(s.SiteURL); err == nil && u.Hostname() == host {
			return origin.Site{}, fmt.Errorf("%s is publisher %q already; look at its file again with \"colophon refresh %s\"", host, s.SiteID, s.SiteID)
		}
		taken[s.SiteID] = true
	}
	s := origin.Site{
		SiteID: siteIDOf(host, taken), Name: own.Reading.Name, SiteURL: "https://" + host + "/", State: origin.Pending, Visibility: "public",
		AcceptsInquiries: true, RAGSuitability: "unassessed", DomainControl: "none", CreatedAt: now, ChangedAt: now,
	}
	s.PublisherID = "pub_" + s.SiteID
	return s, nil
}

// siteIDOf makes a site id of a host: www.site.example is site-example. A host
// whose id is taken, or too long, gets a part of its digest behind it.
func siteIDOf(host string, taken map[string]bool) string {
	id := strings.NewReplacer(".", "-", "_", "-").Replace(strings.TrimPrefix(host, "www."))
	if exports.ValidSiteID(id) && !taken[id] {
		return id
	}
	sum := sha256.Sum256([]byte(host))
	return strings.TrimLeft(id[:min(len(id), 50)], "-") + "-" + hex.EncodeToString(sum[:4])
}

func printEnrol(w io.Writer, r *enrol.Report, own *intake.Own) {
	fmt.Fprintf(w, "  file         %s: %s\n", r.Address, r.File)
	if r.Problem != "" {
		fmt.Fprintf(w, "  problem      %s\n", r.Problem)
	}
	for _, u := range r.Unknown {
		fmt.Fprintf(w, "  left aside   %s\n", u)
	}
	for _, h := range r.Hosts {
		fmt.Fprintf(w, "  host         %s: control %s", urlkey.ShownHost(h.Host), h.Method)
		if h.Address != "" {
			fmt.Fprintf(w, ", seen in %s at %s", h.Address, h.SeenAt)
		}
		if h.Missed != "" {
			fmt.Fprintf(w, ", missing since %s", h.Missed)
		}
		fmt.Fprintln(w)
		for _, why := range h.Why {
			fmt.Fprintf(w, "               %s\n", why)
		}
		if !enrol.Proven(h.Method) && len(h.Why) > 0 {
			fmt.Fprintf(w, "               so nothing changes there\n")
		}
	}
	if own != nil && own.Reading != nil {
		for _, p := range own.Reading.Preferences {
			fmt.Fprintf(w, "  %-12s %s %s %s\n", p.Use, p.Declared, p.Inquiry, strings.Join(p.Paths, " "))
		}
	}
	for _, slug := range r.Offers {
		fmt.Fprintf(w, "  offer        %s\n", slug)
	}
	for _, id := range r.Withdrawn {
		fmt.Fprintf(w, "  withdrawn    %s\n", id)
	}
	for _, list := range []struct {
		name  string
		pages []string
	}{{"page withdrawn", r.PagesWithdrawn}, {"page restored", r.PagesRestored}} {
		for _, address := range list.pages {
			fmt.Fprintf(w, "  %-14s %s\n", list.name, urlkey.Shown(address))
		}
	}
	for _, n := range r.Notes {
		fmt.Fprintf(w, "  note         %s\n", n)
	}
}

func refreshCommand(e *env) *cobra.Command {
	var l lookFlags
	cmd := &cobra.Command{
		Use: "refresh [SITE_ID]", Short: "Read publishers' own files again, and check their hosts",
		Long: "Without SITE_ID, it checks all publishers that have a file or a proof.\n" +
			"A file that changed is taken over: \"withdrawn\" takes pages out until the file lists them no more, and \"listing\": \"closed\"\n" +
			"closes the publisher until you reopen it. A file that is gone withdraws its offers, and opens, withdraws and restores nothing.\n" +
			"A file with an error counts for nothing until it is corrected, and the command fails; its place still proves the host.\n" +
			"A proof that is missing at two looks 14 days apart lapses.",
		Example: "  colophon refresh\n  colophon refresh harbor-ledger",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage.Errorf("\"colophon refresh\" takes one SITE_ID or none")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return e.refreshPublishers(cmd.Context(), args, &l) },
	}
	l.addFlags(cmd)
	l.addDNS(cmd)
	return cmd
}

func (e *env) refreshPublishers(ctx context.Context, ids []string, l *lookFlags) error {
	p, err := e.newProver(l)
	if err != nil {
		return err
	}
	defer p.Close()
	store, done, err := e.OpenStore(ctx)
	if err != nil {
		return err
	}
	defer done()
	if len(ids) == 0 {
		if ids, err = listEnrolled(ctx, store); err != nil {
			return err
		}
	}
	reports := []enrol.Report{}
	for _, id := range ids {
		r, err := lookAt(ctx, store, p, id)
		if errors.Is(err, origin.ErrNotFound) {
			return siteNoun.Missing(id)
		}
		if err != nil {
			return err
		}
		reports = append(reports, r)
	}
	var void []string
	for i := range reports {
		if r := &reports[i]; r.Void {
			void = append(void, fmt.Sprintf("%s of publisher %q has a mistake, and nothing of it counts until it is mended: %s", r.Address, r.SiteID, r.Problem))
		}
	}
	if len(void) == 0 || len(void) < len(reports) {
		e.printNext("colophon build --dir %s", e.Path)
	}
	err = e.printResult(reports, func(w io.Writer) {
		for i := range reports {
			fmt.Fprintf(w, "%s\n", reports[i].SiteID)
			printEnrol(w, &reports[i], nil)
		}
	})
	if err == nil && len(void) > 0 {
		err = errors.New(strings.Join(void, "; "))
	}
	return err
}

// lookAt looks at one publisher again. What it writes of it is written
// together.
func lookAt(ctx context.Context, store *originsql.Store, p *intake.Prover, siteID string) (r enrol.Report, err error) {
	seen, err := enrol.Look(ctx, store, p, siteID)
	if err != nil {
		return r, err
	}
	err = store.Atomically(ctx, func(store *originsql.Store) error {
		if r, err = enrol.Take(ctx, store, siteID, seen, nowRFC3339()); err != nil {
			return err
		}
		return generator.RefreshEvidence(ctx, store, siteID)
	})
	return r, err
}

// listEnrolled lists the publishers that have a file or a proof.
func listEnrolled(ctx context.Context, store *originsql.Store) ([]string, error) {
	sites, err := store.Sites(ctx)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, s := range sites {
		has, err := isEnrolled(ctx, store, s.SiteID)
		if err != nil {
			return nil, err
		}
		if has && (s.State != origin.Closed || enrol.ClosedByFile(&s)) {
			ids = append(ids, s.SiteID)
		}
	}
	return ids, nil
}

func isEnrolled(ctx context.Context, store *originsql.Store, siteID string) (bool, error) {
	proofs, err := store.ProofsOfSite(ctx, siteID)
	if err != nil || len(proofs) > 0 {
		return len(proofs) > 0, err
	}
	seen, err := store.Observations(ctx, siteID)
	for _, o := range seen {
		if o.Channel == "publisher_file" {
			return true, nil
		}
	}
	return false, err
}

// ownFiles reads the files that a publisher keeps, and tells the hosts of which it
// has shown control. refused is why a file cannot be read, "" when all can.
func ownFiles(ctx context.Context, store *originsql.Store, siteID string) (files map[string]publisherfile.File, shown map[string]bool, refused string, err error) {
	seen, err := store.Observations(ctx, siteID)
	if err != nil {
		return nil, nil, "", err
	}
	websites, err := store.Websites(ctx, siteID)
	if err != nil {
		return nil, nil, "", err
	}
	shown = map[string]bool{}
	for _, w := range websites {
		shown[w.Host] = w.Associated && enrol.Proven(w.Method)
	}
	files = map[string]publisherfile.File{}
	for _, o := range seen {
		if o.Channel != "publisher_file" || o.Status != 200 {
			continue
		}
		reading, err := publisherfile.Read([]byte(o.Raw))
		if err != nil {
			refused = err.Error()
			continue
		}
		files[o.URL] = reading.File
	}
	return files, shown, refused, nil
}

// isOnHost reports an address on one of the hosts.
func isOnHost(address string, hosts map[string]bool) bool {
	u, err := url.Parse(address)
	return err == nil && hosts[u.Hostname()]
}

// namedSources lists the sitemaps that a publisher names in its own file, then
// the feeds, as far as they are on hosts of which it has shown control. refused
// is why a file cannot be read, "" when all can.
func namedSources(ctx context.Context, store *originsql.Store, siteID string) (sources []string, refused string, err error) {
	files, shown, refused, err := ownFiles(ctx, store, siteID)
	if err != nil {
		return nil, "", err
	}
	add := func(addresses []string) {
		for _, a := range addresses {
			if isOnHost(a, shown) && !slices.Contains(sources, a) {
				sources = append(sources, a)
			}
		}
	}
	order := slices.Sorted(maps.Keys(files))
	for _, at := range order {
		add(files[at].Sitemaps)
	}
	for _, at := range order {
		add(files[at].Feeds)
	}
	return sources, refused, nil
}

// addWishes adds what the publisher's own files, on hosts of which it has shown
// control, say about the import of its pages.
func addWishes(ctx context.Context, store *originsql.Store, opt *intake.Options) error {
	files, shown, _, err := ownFiles(ctx, store, opt.SiteID)
	for _, at := range slices.Sorted(maps.Keys(files)) {
		if f := files[at]; isOnHost(at, shown) {
			if opt.NoIndex == "" {
				opt.NoIndex = f.NoIndex
			}
			opt.Partners = append(opt.Partners, f.SyndicatedTo...)
		}
	}
	opt.Withdrawn = func(address string) bool {
		for at, f := range files {
			if isOnHost(at, shown) && isOnHost(address, shown) && f.Withdraws(address) {
				return true
			}
		}
		return false
	}
	return err
}

// robotsSources lists the sitemaps that robots.txt of a publisher's home names,
// as far as they are on its hosts.
func robotsSources(ctx context.Context, store *originsql.Store, site origin.Site, opt intake.Options) ([]string, error) {
	websites, err := store.Websites(ctx, site.SiteID)
	if err != nil {
		return nil, err
	}
	home, err := url.Parse(site.SiteURL)
	if err != nil {
		return nil, err
	}
	own := map[string]bool{home.Hostname(): true}
	for _, w := range websites {
		own[w.Host] = true
	}
	p, err := intake.NewProver(opt)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	return slices.DeleteFunc(p.Sitemaps(ctx, site.SiteURL), func(address string) bool { return !isOnHost(address, own) }), nil
}

// lookAtImport looks at the file and the proofs of a publisher whose pages
// were imported, when it has any; priced RSL becomes offers of every
// publisher.
func (e *env) lookAtImport(ctx context.Context, store *originsql.Store, opt intake.Options) error {
	has, err := isEnrolled(ctx, store, opt.SiteID)
	if err != nil {
		return err
	}
	if !has {
		var r enrol.Report
		err := enrol.Observed(ctx, store, opt.SiteID, nowRFC3339(), &r)
		e.printNotes(r.Notes)
		return err
	}
	p, err := intake.NewProver(opt)
	if err != nil {
		return err
	}
	defer p.Close()
	r, err := lookAt(ctx, store, p, opt.SiteID)
	if err != nil {
		return err
	}
	if r.Problem != "" {
		e.printNote("the publisher's own file: %s", r.Problem)
	}
	e.printNotes(r.Notes)
	site, err := store.Site(ctx, opt.SiteID)
	if err != nil {
		return err
	}
	_, err = enrol.CheckCheap(ctx, store, p, site, nowRFC3339())
	return err
}
