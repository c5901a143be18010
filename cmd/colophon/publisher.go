package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"colophon/exports"
	"colophon/generator"
	"colophon/internal/channel/publisherfile"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/registry"
	"colophon/internal/urlkey"
	"colophon/internal/wire"
)

func publisherCommand(e *env) *cobra.Command {
	cmd := &cobra.Command{Use: "publisher", Short: "Manage publishers"}
	cmd.AddCommand(
		publisherAdd(e), publisherSet(e), publisherState(e, "approve", origin.Approved, "Let a publisher appear in the next build"),
		publisherState(e, "suspend", origin.Suspended, "Take a publisher out of the next build"),
		publisherState(e, "close", origin.Closed, "Take a publisher out for good: its entries are withdrawn, and the ledger says so"), publisherReopen(e),
		publisherMove(e), publisherList(e), publisherShow(e), publisherPack(e),
		inboxLinkCommand(e),
	)
	return cmd
}

// publisherFacts are the settings that add and set share.
type publisherFacts struct {
	name, siteURL, summary, description, legalName, contactName, contactEmail string
	humanPage, audience, depth, suitability, cadence, visibility, inquiries   string
	domainControl, notes                                                      string
	categories, languages, countries, hosts, uses                             []string
	graceDays                                                                 int64
	holder, holderURL, territories                                            string
}

func (p *publisherFacts) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&p.name, "name", "", "public name")
	f.StringVar(&p.siteURL, "site-url", "", "public home address")
	f.StringVar(&p.summary, "summary", "", "one sentence")
	f.StringVar(&p.description, "description", "", "a paragraph")
	f.StringSliceVar(&p.categories, "category", nil, "category slugs (made when new)")
	f.StringSliceVar(&p.languages, "language", nil, "BCP 47 tags")
	f.StringSliceVar(&p.countries, "country", nil, "ISO 3166-1 alpha-2 codes")
	f.StringVar(&p.audience, "audience", "", strings.Join(exports.Audiences, ", "))
	f.StringVar(&p.depth, "technical-depth", "", strings.Join(exports.TechnicalDepths, ", "))
	f.StringVar(&p.suitability, "rag-suitability", "", strings.Join(exports.RAGSuitabilities, ", "))
	f.StringVar(&p.cadence, "update-cadence", "", "daily, weekly, monthly, rarely")
	f.StringVar(&p.humanPage, "human-page", "", "the publisher's own licensing page")
	f.StringVar(&p.visibility, "visibility", "", "public or private")
	f.StringVar(&p.inquiries, "inquiries", "", "open or closed")
	f.StringVar(&p.domainControl, "domain-control", "", "operator when you vouch for it, or none; proofs cannot be typed, \"refresh\" looks for them")
	f.StringSliceVar(&p.hosts, "host", nil, "further host names of the site")
	f.StringSliceVar(&p.uses, "use", nil, "USE=INQUIRY[:DECLARED[:CONDITION+CONDITION]], such as rag=welcome:disallow:attribution")
	f.StringVar(&p.holder, "rights-holder", "", "name in a new version of the rights passport")
	f.StringVar(&p.holderURL, "rights-holder-url", "", "address about the rights holder")
	f.StringVar(&p.territories, "territories", "", "where rights are held, such as EU,GB; empty is everywhere")
	f.StringVar(&p.legalName, "legal-name", "", "name of the organization")
	f.StringVar(&p.contactName, "contact-name", "", "person to write to (private)")
	f.StringVar(&p.contactEmail, "contact-email", "", "where notifications go (private)")
	f.Int64Var(&p.graceDays, "grace-days", -1, "days that a page may be gone before its entry is withdrawn; 0 is the default of 14 (private)")
	f.StringVar(&p.notes, "notes", "", "the operator's own notes (private)")
}

// validateWord refuses a value outside its closed list.
func validateWord(flag, value string, list []string) error {
	if value == "" || exports.OneOf(value, list) {
		return nil
	}
	return usage("--%s %q is not one of %s", flag, value, strings.Join(list, ", "))
}

func (p *publisherFacts) validate() error {
	for _, c := range []struct {
		flag, value string
		list        []string
	}{
		{"audience", p.audience, exports.Audiences}, {"technical-depth", p.depth, exports.TechnicalDepths},
		{"rag-suitability", p.suitability, exports.RAGSuitabilities}, {"update-cadence", p.cadence, []string{"daily", "weekly", "monthly", "rarely"}},
		{"visibility", p.visibility, []string{"public", "private"}}, {"inquiries", p.inquiries, []string{"open", "closed"}},
		{"domain-control", p.domainControl, []string{"operator", "none"}},
	} {
		if err := validateWord(c.flag, c.value, c.list); err != nil {
			return err
		}
	}
	if p.graceDays < -1 || p.graceDays > registry.MaxGraceDays {
		return usage("--grace-days %d is not from 0 to %d", p.graceDays, registry.MaxGraceDays)
	}
	for _, slug := range p.categories {
		if !exports.ValidSlug(slug) {
			return usage("--category %q is not a slug such as trade-logistics", slug)
		}
	}
	for _, u := range p.uses {
		if _, err := parsePreference(u); err != nil {
			return err
		}
	}
	if p.siteURL != "" {
		canonical, err := urlkey.Address(p.siteURL)
		if err != nil {
			return usage("--site-url %q is not a public http(s) address (%v)", p.siteURL, err)
		}
		p.siteURL = canonical
	}
	if len(p.name) > 480 || len(p.summary) > 1200 || len(p.description) > 8000 {
		return usage("name, summary or description is too long")
	}
	return nil
}

// parsePreference reads USE=INQUIRY[:DECLARED[:CONDITION+CONDITION]].
func parsePreference(text string) (origin.Preference, error) {
	left, right, ok := strings.Cut(text, "=")
	use, _, known := exports.ParseUse(left)
	if !ok || !known {
		return origin.Preference{}, usage("--use %q must begin with one of %s and \"=\"", text, strings.Join(exports.UseWords(), ", "))
	}
	parts := strings.SplitN(right, ":", 3)
	p := origin.Preference{Use: string(use), Inquiry: parts[0], Declared: "unknown", Source: "publisher"}
	if len(parts) > 1 {
		p.Declared = parts[1]
	}
	if len(parts) > 2 {
		p.Conditions = strings.Split(parts[2], "+")
	}
	if err := validateWord("use", p.Inquiry, exports.Inquiries); err != nil || p.Inquiry == "" {
		return p, usage("--use %q: the inquiry must be one of %s", text, strings.Join(exports.Inquiries, ", "))
	}
	if err := validateWord("use", p.Declared, exports.Declarations); err != nil {
		return p, err
	}
	for _, c := range p.Conditions {
		if err := validateWord("use", c, exports.Conditions); err != nil {
			return p, err
		}
	}
	return p, nil
}

func publisherAdd(e *env) *cobra.Command {
	var p publisherFacts
	var l lookFlags
	cmd := &cobra.Command{
		Use: "add SITE_ID|URL", Short: "Add a publisher, pending until approved", Args: exactArgs("SITE_ID|URL"),
		Long: "URL is the home of a site: its own file, " + publisherfile.WellKnown + ", says the rest, and where it stands shows who\n" +
			"controls the site. With a SITE_ID, the flags say what is known; \"refresh\" looks for proofs of its hosts.",
		Example: "  colophon publisher add https://harbor-ledger.example/\n  colophon publisher add harbor-ledger --name \"Harbor Ledger\" --site-url https://harbor-ledger.example/ \\\n    --category trade-logistics --use rag=welcome:disallow:attribution --rights-holder \"Harbor Ledger B.V.\"",
		RunE: func(cmd *cobra.Command, args []string) error {
			if strings.Contains(args[0], "://") {
				return e.addByFile(cmd.Context(), args[0], &l)
			}
			if !exports.ValidSiteID(args[0]) {
				return usage("%q cannot be a site id: 2 to 64 of a-z, 0-9 and \"-\", not beginning with \"-\"", args[0])
			}
			if p.name == "" || p.siteURL == "" {
				return usage("--name and --site-url are required")
			}
			return e.changePublisher(cmd.Context(), args[0], &p, true)
		},
	}
	p.addFlags(cmd)
	l.addFlags(cmd)
	cmd.Flags().BoolVar(&e.dryRun, "dry-run", false, "only check and tell")
	return cmd
}

func publisherSet(e *env) *cobra.Command {
	var p publisherFacts
	cmd := &cobra.Command{
		Use: "set SITE_ID", Short: "Change a publisher's details", Args: exactArgs("SITE_ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.changePublisher(cmd.Context(), args[0], &p, false)
		},
	}
	p.addFlags(cmd)
	cmd.Flags().BoolVar(&e.dryRun, "dry-run", false, "only check and tell")
	return cmd
}

// changePublisher checks everything first and writes then, so that a refused
// call changes nothing.
func (e *env) changePublisher(ctx context.Context, siteID string, p *publisherFacts, add bool) error {
	if err := p.validate(); err != nil {
		return err
	}
	store, done, err := e.openStore(ctx)
	if err != nil {
		return err
	}
	defer done()
	s, err := store.Site(ctx, siteID)
	switch {
	case add && err == nil:
		return fmt.Errorf("publisher %q exists already; change it with \"colophon publisher set %s\"", siteID, siteID)
	case !add && errors.Is(err, origin.ErrNotFound):
		return noPublisher(siteID)
	case err != nil && !errors.Is(err, origin.ErrNotFound):
		return err
	}
	now := nowRFC3339()
	if add {
		s = origin.Site{SiteID: siteID, PublisherID: "pub_" + siteID, State: origin.Pending, Visibility: "public", AcceptsInquiries: true,
			RAGSuitability: "unassessed", DomainControl: "none", CreatedAt: now}
	}
	p.applyTo(&s, now)
	if e.dryRun {
		return e.showSite(s, "would write")
	}
	err = store.Atomically(ctx, func(store *originsql.Store) error {
		if err := writePublisher(ctx, store, s, p, now); err != nil {
			return err
		}
		return generator.RefreshEvidence(ctx, store, siteID)
	})
	if err != nil {
		return err
	}
	if add {
		e.printNote("next: colophon publisher approve %s --dir %s", siteID, e.dir)
	}
	return e.showSite(s, map[bool]string{true: "added", false: "changed"}[add])
}

func noPublisher(siteID string) error {
	return fmt.Errorf("there is no publisher %q; \"colophon publisher list\" shows them", siteID)
}

// toUTC rewrites the value of a flag that is an RFC 3339 instant in UTC. One
// that was not given stays empty.
func toUTC(flag string, value *string) error {
	if *value == "" {
		return nil
	}
	at, ok := wire.ToUTC(*value)
	if !ok {
		return usage("%s %q is no instant such as 2026-11-20T09:00:00Z", flag, *value)
	}
	*value = at
	return nil
}

// nowRFC3339 is now, as the origin writes times.
func nowRFC3339() string { return time.Now().UTC().Format("2006-01-02T15:04:05Z") }

func (p *publisherFacts) applyTo(s *origin.Site, now string) {
	set := func(to *string, value string) {
		if value != "" {
			*to = value
		}
	}
	list := func(to *[]string, value []string) {
		if value != nil {
			*to = value
		}
	}
	set(&s.Name, p.name)
	set(&s.SiteURL, p.siteURL)
	set(&s.Summary, p.summary)
	set(&s.Description, p.description)
	list(&s.Categories, p.categories)
	list(&s.Languages, p.languages)
	list(&s.Countries, p.countries)
	set(&s.Audience, p.audience)
	set(&s.TechnicalDepth, p.depth)
	set(&s.RAGSuitability, p.suitability)
	set(&s.UpdateCadence, p.cadence)
	set(&s.HumanPage, p.humanPage)
	set(&s.Visibility, p.visibility)
	set(&s.PrivateNotes, p.notes)
	if p.inquiries != "" {
		s.AcceptsInquiries = p.inquiries == "open"
	}
	if p.domainControl != "" {
		s.DomainControl, s.ControlChecked = p.domainControl, now
	}
	if p.graceDays >= 0 {
		s.GraceDays = p.graceDays
	}
	s.ChangedAt = now
}

// publisherStore is what writing a publisher needs.
type publisherStore interface {
	origin.Sites
	origin.Categories
	origin.Preferences
}

// writePublisher writes the account, the site and what hangs on it. Each
// write stands by itself; repeating the call completes what was cut short.
func writePublisher(ctx context.Context, store publisherStore, s origin.Site, p *publisherFacts, now string) error {
	account, err := store.Publisher(ctx, s.PublisherID)
	if errors.Is(err, origin.ErrNotFound) {
		account = origin.Publisher{PublisherID: s.PublisherID, LegalName: s.Name, CreatedAt: now}
	} else if err != nil {
		return err
	}
	for _, f := range []struct {
		to    *string
		value string
	}{{&account.LegalName, p.legalName}, {&account.ContactName, p.contactName}, {&account.ContactEmail, p.contactEmail}} {
		if f.value != "" {
			*f.to = f.value
		}
	}
	if err := store.PutPublisher(ctx, account); err != nil {
		return err
	}
	if err := store.PutSite(ctx, s); err != nil {
		return err
	}
	if err := writeHosts(ctx, store, s, p, now); err != nil {
		return err
	}
	if err := writeCategories(ctx, store, p.categories, now); err != nil {
		return err
	}
	if err := writePreferences(ctx, store, s.SiteID, p.uses, now); err != nil {
		return err
	}
	return writePassport(ctx, store, s, p, now)
}

func writeHosts(ctx context.Context, store origin.Sites, s origin.Site, p *publisherFacts, now string) error {
	u, err := url.Parse(s.SiteURL)
	if err != nil {
		return err
	}
	for _, host := range append([]string{u.Hostname()}, p.hosts...) {
		ascii, ok := urlkey.ASCIIHost(host)
		if !ok {
			return usage("%q is no host name", host)
		}
		w := origin.Website{SiteID: s.SiteID, Host: ascii, Method: s.DomainControl, CheckedAt: s.ControlChecked, ChangedAt: now}
		w.Associated = s.DomainControl != "none"
		if err := store.PutWebsite(ctx, w); err != nil {
			return err
		}
	}
	return nil
}

func writeCategories(ctx context.Context, store origin.Categories, slugs []string, now string) error {
	known, err := store.Categories(ctx)
	if err != nil {
		return err
	}
	have := map[string]bool{}
	for _, c := range known {
		have[c.Slug] = true
	}
	for _, slug := range slugs {
		if have[slug] {
			continue
		}
		label := strings.ReplaceAll(slug, "-", " ")
		label = strings.ToUpper(label[:1]) + label[1:]
		if err := store.PutCategory(ctx, origin.Category{Slug: slug, Label: label, ChangedAt: now}); err != nil {
			return err
		}
	}
	return nil
}

func writePreferences(ctx context.Context, store origin.Preferences, siteID string, uses []string, now string) error {
	for _, text := range uses {
		pref, err := parsePreference(text)
		if err != nil {
			return err
		}
		pref.SiteID = siteID
		pref.Since = now
		pref.ChangedAt = now
		if err := store.PutPreference(ctx, pref); err != nil {
			return err
		}
	}
	return nil
}

// writePassport adds a version of the rights passport: the first one for
// every site, a further one when the rights holder changes.
func writePassport(ctx context.Context, store origin.Preferences, s origin.Site, p *publisherFacts, now string) error {
	versions, err := store.Passports(ctx, s.SiteID)
	if err != nil {
		return err
	}
	if len(versions) > 0 && p.holder == "" && p.holderURL == "" && p.territories == "" {
		return nil
	}
	next := origin.Passport{SiteID: s.SiteID, HolderName: s.Name, HolderURL: s.SiteURL, HolderBasis: "stated_by_publisher"}
	if len(versions) > 0 {
		next = versions[len(versions)-1]
	}
	next.Version = int64(len(versions)) + 1
	next.EffectiveFrom = now
	next.ChangedAt = now
	next.PassportID = fmt.Sprintf("rp_%s_%d", s.SiteID, next.Version)
	if p.holder != "" {
		next.HolderName = p.holder
	}
	if p.holderURL != "" {
		next.HolderURL = p.holderURL
	}
	if p.territories != "" {
		next.Territories = strings.Split(p.territories, ",")
	}
	return store.AddPassport(ctx, next)
}

func publisherState(e *env, verb string, state origin.SiteState, short string) *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use: verb + " SITE_ID", Short: short, Args: exactArgs("SITE_ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.setState(cmd.Context(), args[0], state, reason)
		},
	}
	cmd.Flags().StringVar(&reason, "reason", "", "why (private)")
	cmd.Flags().BoolVar(&e.dryRun, "dry-run", false, "only tell")
	return cmd
}

func publisherReopen(e *env) *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use: "reopen SITE_ID", Short: "Bring a closed publisher back, with its history", Args: exactArgs("SITE_ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			var s origin.Site
			err := e.withStore(cmd.Context(), func(store *originsql.Store) (err error) {
				s, err = store.Site(cmd.Context(), args[0])
				return err
			})
			switch {
			case errors.Is(err, origin.ErrNotFound):
				return noPublisher(args[0])
			case err != nil:
				return err
			case s.State != origin.Closed:
				return fmt.Errorf("publisher %q is %s, not closed", s.SiteID, s.State)
			case s.ApprovedAt == "":
				return e.setState(cmd.Context(), s.SiteID, origin.Pending, reason)
			}
			return e.setState(cmd.Context(), s.SiteID, origin.Approved, reason)
		},
	}
	cmd.Flags().StringVar(&reason, "reason", "", "why (private)")
	cmd.Flags().BoolVar(&e.dryRun, "dry-run", false, "only tell")
	return cmd
}

func (e *env) setState(ctx context.Context, siteID string, state origin.SiteState, reason string) error {
	store, done, err := e.openStore(ctx)
	if err != nil {
		return err
	}
	defer done()
	s, err := store.Site(ctx, siteID)
	if errors.Is(err, origin.ErrNotFound) {
		return noPublisher(siteID)
	}
	if err != nil {
		return err
	}
	now := nowRFC3339()
	s.State = state
	s.StateReason = reason
	s.ChangedAt = now
	if state == origin.Approved && s.ApprovedAt == "" {
		s.ApprovedAt = now
	}
	if e.dryRun {
		return e.showSite(s, "would be")
	}
	if err := store.PutSite(ctx, s); err != nil {
		return err
	}
	if err := generator.RefreshEvidence(ctx, store, siteID); err != nil {
		return err
	}
	if err := e.adviseListed(ctx, store, siteID); err != nil {
		return err
	}
	return e.showSite(s, "now")
}

// adviseListed tells the next step for a publisher whose state changed: the
// import of its pages, as long as it is listed and none is registered.
func (e *env) adviseListed(ctx context.Context, store *originsql.Store, siteID string) error {
	s, err := store.Site(ctx, siteID)
	if err != nil {
		return err
	}
	entries, err := store.PagesOf(ctx, siteID, "", 1)
	if err != nil {
		return err
	}
	if s.State == origin.Approved && len(entries) == 0 {
		e.printNote("next: colophon import --site %s --dir %s", siteID, e.dir)
		return nil
	}
	e.printNote("next: colophon build --dir %s", e.dir)
	return nil
}

// siteRow is a site as the operator sees it.
func siteRow(s origin.Site) map[string]any {
	return map[string]any{
		"site_id": s.SiteID, "name": s.Name, "site_url": s.SiteURL, "state": s.State, "visibility": s.Visibility, "categories": s.Categories,
		"accepts_inquiries": s.AcceptsInquiries, "approved_at": s.ApprovedAt, "changed_at": s.ChangedAt,
	}
}

func (e *env) showSite(s origin.Site, verb string) error {
	return e.printResult(siteRow(s), func(w io.Writer) {
		fmt.Fprintf(w, "%s %s: %s (%s, %s, %s)\n", verb, s.SiteID, s.Name, urlkey.Shown(s.SiteURL), s.State, s.Visibility)
	})
}

func publisherList(e *env) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List all publishers", Args: exactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			store, done, err := e.openStore(cmd.Context())
			if err != nil {
				return err
			}
			defer done()
			sites, err := store.Sites(cmd.Context())
			if err != nil {
				return err
			}
			rows := make([]map[string]any, 0, len(sites))
			for _, s := range sites {
				rows = append(rows, siteRow(s))
			}
			return e.printResult(rows, func(w io.Writer) {
				for _, s := range sites {
					fmt.Fprintf(w, "%-24s %-10s %-8s %s\n", s.SiteID, s.State, s.Visibility, s.Name)
				}
			})
		},
	}
}

func publisherShow(e *env) *cobra.Command {
	return &cobra.Command{
		Use: "show SITE_ID", Short: "Show one publisher with its preferences", Args: exactArgs("SITE_ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			store, done, err := e.openStore(cmd.Context())
			if err != nil {
				return err
			}
			defer done()
			s, err := store.Site(cmd.Context(), args[0])
			if errors.Is(err, origin.ErrNotFound) {
				return noPublisher(args[0])
			}
			if err != nil {
				return err
			}
			prefs, err := store.Preferences(cmd.Context(), s.SiteID)
			if err != nil {
				return err
			}
			row := siteRow(s)
			stated := map[string]string{}
			for _, p := range prefs {
				stated[p.Use] = p.Inquiry + ":" + p.Declared
			}
			row["preferences"] = stated
			control, err := e.controlOf(cmd.Context(), store, s)
			if err != nil {
				return err
			}
			row["control"] = control
			row["grace_days"] = s.GraceDays
			return e.printResult(row, func(w io.Writer) {
				fmt.Fprintf(w, "%s\n  name         %s\n  site         %s\n  state        %s, %s\n  categories   %s\n  inquiries    %t\n", s.SiteID, s.Name, urlkey.Shown(s.SiteURL), s.State, s.Visibility, strings.Join(s.Categories, ", "), s.AcceptsInquiries)
				for _, u := range exports.Uses {
					if v, ok := stated[string(u)]; ok {
						fmt.Fprintf(w, "  %-15s %s\n", u, v)
					}
				}
				printControl(w, control)
			})
		},
	}
}
