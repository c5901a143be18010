package publishers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"colophon/generator/snapshot"
	"colophon/internal/channel/publisherfile"
	"colophon/internal/cli"
	"colophon/internal/enrol"
	"colophon/internal/intake"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/urlkey"
	"colophon/internal/usage"
)

// addByFile adds the publisher of an address by what its own file says, and
// prints what it did.
func addByFile(ctx context.Context, e *cli.Env, address string, l *cli.LookFlags) error {
	added, err := TakeByFile(ctx, e, address, l)
	if err != nil {
		return err
	}
	s, report := added.Site, &added.report
	row := cli.SiteRow(&s)
	row["file"] = report
	e.PrintNext("colophon publisher approve %s --dir %s", s.SiteID, e.Path)
	return e.PrintResult(row, func(w io.Writer) {
		fmt.Fprintf(w, "added %s: %s (%s, %s, %s)\n", s.SiteID, s.Name, urlkey.Display(s.SiteURL), s.State, s.Visibility)
		printEnrol(w, report, added.own)
	})
}

// taken is a publisher that was added by its file.
type taken struct {
	Site   origin.Site
	report enrol.Report
	own    *intake.Own
}

// TakeByFile adds the publisher behind an address, pending.
func TakeByFile(ctx context.Context, e *cli.Env, address string, l *cli.LookFlags) (*taken, error) {
	home, err := urlkey.Address(address)
	host := urlkey.HostOf(home)
	if err != nil || !strings.HasSuffix(home, "://"+host+"/") || strings.Contains(host, ":") {
		return nil, usage.Errorf("%q must be the address of a site's home, such as https://site.example/", address)
	}
	p, err := e.NewProver(l)
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
	now := cli.Now()
	s, err := enrol.NewSite(ctx, store, host, own, now)
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
		return snapshot.RefreshEvidence(ctx, store, s.SiteID)
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
		return fmt.Errorf("nothing shows that %s belongs to this publisher: %s; \"colophon publisher add SITE_ID\" adds one by flags", home.Host, strings.Join(home.Why, "; "))
	}
	return nil
}

// ErrNoFile is returned for a site that has no file of its own.
var ErrNoFile = errors.New("has no file " + publisherfile.WellKnown + ", and names none in a link or in DNS; see the page \"List your site in ten minutes\"")

func noFile(own *intake.Own) error {
	if own.Gone() {
		return fmt.Errorf("%s %w", own.Host, ErrNoFile)
	}
	return fmt.Errorf("the file %s cannot be used: %s; correct it there, or add the publisher by flags with \"colophon publisher add SITE_ID\"", own.Address, own.Problem)
}

func addPrefix(prefix string, list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = prefix + s
	}
	return out
}

func printEnrol(w io.Writer, r *enrol.Report, own *intake.Own) {
	if r.Address != "" {
		fmt.Fprintf(w, "  file         %s: %s\n", r.Address, r.File)
	}
	if r.Problem != "" {
		fmt.Fprintf(w, "  problem      %s\n", r.Problem)
	}
	for _, u := range r.Unknown {
		fmt.Fprintf(w, "  left aside   %s\n", u)
	}
	for _, h := range r.Hosts {
		fmt.Fprintf(w, "  host         %s: control %s", urlkey.DisplayHost(h.Host), h.Method)
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
	for _, id := range r.Reservations {
		fmt.Fprintf(w, "  reservation  %s\n", id)
	}
	for _, id := range r.Withdrawn {
		fmt.Fprintf(w, "  withdrawn    %s\n", id)
	}
	for _, list := range []struct {
		name  string
		pages []string
	}{{"page withdrawn", r.PagesWithdrawn}, {"page restored", r.PagesRestored}} {
		for _, address := range list.pages {
			fmt.Fprintf(w, "  %-14s %s\n", list.name, urlkey.Display(address))
		}
	}
	for _, n := range r.Notes {
		fmt.Fprintf(w, "  note         %s\n", n)
	}
}

// RefreshCommand reads publishers' own files again.
func RefreshCommand(e *cli.Env) *cobra.Command {
	var l cli.LookFlags
	cmd := &cobra.Command{
		Use: "refresh [SITE_ID]", Short: "Read publishers' own files and channels again, and check their hosts",
		Long: "Without SITE_ID, it reads the channels of all publishers, and the files and proofs of those that have one.\n" +
			"It reads the home page of each host, its headers, robots.txt and the documents that these name, and reports what changed:\n" +
			"in which channel, by whom, and for which use. \"colophon watch\" lists such changes later.\n" +
			"A file that changed takes effect: \"withdrawn\" takes pages out for as long as the file lists them, and \"listing\": \"closed\"\n" +
			"closes the publisher until you reopen it. A file that is gone ends its offers; it neither withdraws nor restores pages.\n" +
			"A file with an error is ignored until it is corrected, and the command fails; its location still proves the host.\n" +
			"A proof that is missing at two checks 14 days apart lapses.",
		Example: "  colophon refresh\n  colophon refresh harbor-ledger",
		Args:    cli.OptionalArg("SITE_ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.Look(cmd.Context(), &l, func(p *intake.Prover, store *originsql.Store) error {
				return refreshPublishers(cmd.Context(), e, store, p, args)
			})
		},
	}
	l.AddFlags(cmd)
	l.AddDNS(cmd)
	return cmd
}

func refreshPublishers(ctx context.Context, e *cli.Env, store *originsql.Store, p *intake.Prover, ids []string) (err error) {
	all := len(ids) == 0
	if all {
		if ids, err = enrol.ListRefreshed(ctx, store); err != nil {
			return err
		}
	}
	reports := []refreshed{}
	printed := e.NewProgress()
	defer printed.Clear()
	for i, id := range ids {
		printed.Show(int64(i), int64(len(ids)), "publishers")
		r, err := refreshPublisher(ctx, store, p, id, all)
		if errors.Is(err, origin.ErrNotFound) {
			return cli.SiteNoun.Missing(id)
		}
		if err != nil {
			return err
		}
		reports = append(reports, r)
	}
	printed.Clear()
	var void []string
	for i := range reports {
		if r := &reports[i]; r.Void {
			void = append(void, fmt.Sprintf("%s of publisher %q has a mistake and is ignored until it is corrected: %s", r.Address, r.SiteID, r.Problem))
		}
	}
	if len(void) == 0 || len(void) < len(reports) {
		e.PrintNext("colophon build --dir %s", e.Path)
	}
	err = e.PrintResult(reports, func(w io.Writer) {
		for i := range reports {
			fmt.Fprintf(w, "%s\n", reports[i].SiteID)
			printEnrol(w, &reports[i].Report, nil)
			printChanges(w, reports[i].Changes)
		}
	})
	if err == nil && len(void) > 0 {
		err = errors.New(strings.Join(void, "; "))
	}
	return err
}

// refreshed is what a look at a publisher found, and what changed since the last one.
type refreshed struct {
	enrol.Report
	Changes policyChanges `json:"changes"`
}

// refreshPublisher looks at one publisher and at its channels. all says that it is one
// of all publishers: one without a file and a proof then does not become enrolled.
func refreshPublisher(ctx context.Context, store *originsql.Store, p *intake.Prover, siteID string, all bool) (r refreshed, err error) {
	look := true
	if all {
		if look, err = enrol.IsEnrolled(ctx, store, siteID); err != nil {
			return r, err
		}
	}
	channels, err := enrol.LookAtChannels(ctx, store, p, siteID)
	if err != nil {
		return r, err
	}
	before, err := snapshot.PolicyChanges(ctx, store, siteID)
	if err != nil {
		return r, err
	}
	if look {
		r.Report, err = lookAt(ctx, store, p, siteID, channels)
	} else {
		r.Report, err = takeChannels(ctx, store, siteID, channels)
	}
	if err != nil {
		return r, err
	}
	after, err := snapshot.PolicyChanges(ctx, store, siteID)
	r.Changes = after[min(len(before), len(after)):]
	return r, err
}

// lookAt looks at one publisher again, of whose channels something was observed. What it
// writes is written together.
func lookAt(ctx context.Context, store *originsql.Store, p *intake.Prover, siteID string, channels []origin.Observation) (r enrol.Report, err error) {
	seen, err := enrol.Look(ctx, store, p, siteID)
	if err != nil {
		return r, err
	}
	err = putChannels(ctx, store, siteID, channels, func(store *originsql.Store) error {
		r, err = enrol.Take(ctx, store, siteID, seen, cli.Now())
		return err
	})
	return r, err
}

// takeChannels takes in what was observed of the channels of a publisher whose file and
// proofs nobody looked at.
func takeChannels(ctx context.Context, store *originsql.Store, siteID string, channels []origin.Observation) (enrol.Report, error) {
	r := enrol.Report{SiteID: siteID}
	err := putChannels(ctx, store, siteID, channels, func(store *originsql.Store) error {
		return enrol.Observed(ctx, store, siteID, cli.Now(), &r)
	})
	return r, err
}

// putChannels writes observations, what take makes of them, and the evidence that follows,
// all together.
func putChannels(ctx context.Context, store *originsql.Store, siteID string, channels []origin.Observation, take func(*originsql.Store) error) error {
	return store.Atomically(ctx, func(store *originsql.Store) error {
		for _, o := range channels {
			if err := store.PutObservation(ctx, o); err != nil {
				return err
			}
		}
		if err := take(store); err != nil {
			return err
		}
		return snapshot.RefreshEvidence(ctx, store, siteID)
	})
}

// LookAtImport looks at the file and the proofs of a publisher whose pages were
// imported, if it has any; priced RSL becomes offers of every publisher.
func LookAtImport(ctx context.Context, e *cli.Env, store *originsql.Store, opt intake.Options) error {
	has, err := enrol.IsEnrolled(ctx, store, opt.SiteID)
	if err != nil {
		return err
	}
	if !has {
		var r enrol.Report
		err := enrol.Observed(ctx, store, opt.SiteID, cli.Now(), &r)
		e.PrintNotes(r.Notes)
		return err
	}
	p, err := intake.NewProver(opt)
	if err != nil {
		return err
	}
	defer p.Close()
	r, err := lookAt(ctx, store, p, opt.SiteID, nil)
	if err != nil {
		return err
	}
	if r.Problem != "" {
		e.PrintNote("the publisher's own file: %s", r.Problem)
	}
	e.PrintNotes(r.Notes)
	site, err := store.Site(ctx, opt.SiteID)
	if err != nil {
		return err
	}
	_, err = enrol.CheckCheap(ctx, store, p, site, cli.Now())
	return err
}
