package observed

import (
	"bytes"
	"cmp"
	"sort"
	"strings"

	"colophon/exports"
	"colophon/internal/channel"
	"colophon/internal/channel/publisherfile"
	"colophon/internal/channel/statements"
	"colophon/internal/filepolicy"
	"colophon/internal/origin"
	"colophon/internal/rights"
	"colophon/internal/urlkey"
	"colophon/internal/wire"
)

// Report is what the channels of a site say, where they contradict each other,
// and what was assumed in reading them.
type Report struct {
	Resource  string           `json:"resource"`
	Documents []ReportDocument `json:"documents"`
	Stated    []ReportLine     `json:"says"`   // one for each channel and use that it mentions
	Agents    []string         `json:"agents"` // those that are told something different from everybody
	Verdicts  []Verdict        `json:"verdicts"`
	Vector    string           `json:"rights_vector"`
	ByAgent   []AgentVerdicts  `json:"by_agent"` // of the agents that were asked for
	Assumed   []string         `json:"assumed"`

	Known     []exports.AgentGroup                                       `json:"-"` // see Result
	Warnings  []exports.AgentWarning                                     `json:"-"` // rules that keep out more than training
	Conflicts wire.Rows[exports.Conflict, *exports.Conflict]             `json:"contradictions"`
	Doubts    wire.Rows[exports.StatementDoubt, *exports.StatementDoubt] `json:"statements"` // in the registry, which the channels do not confirm

	Differences []Difference `json:"differences"` // from what Compare was told to expect
}

// Verdict is the verdict on one use.
type Verdict struct {
	DependsOn   []string    `json:"depends_on"`
	Obligations []string    `json:"obligations"`
	Reason      string      `json:"reason"` // of exports.ReasonCodes
	Retention   string      `json:"retention"`
	Use         exports.Use `json:"use"`
	Verdict     string      `json:"verdict"` // of exports.Verdicts
}

// AgentVerdicts holds the verdicts for one agent.
type AgentVerdicts struct {
	Agent    string    `json:"agent"` // robots product token
	Vector   string    `json:"rights_vector"`
	Verdicts []Verdict `json:"verdicts"`
}

// ReportDocument is a document that was looked for.
type ReportDocument struct {
	Channel    string            `json:"channel"`
	Reading    string            `json:"reading"` // of exports.Readings, "" if there is no document
	State      string            `json:"state"`   // of exports.ChannelStates
	Statements int64             `json:"statements"`
	URL        string            `json:"url"`
	Warnings   []channel.Warning `json:"warnings"`
}

// ReportLine is what one channel says about one use.
type ReportLine struct {
	Agent     string `json:"agent"`
	Channel   string `json:"channel"`
	Effect    string `json:"effect"`
	Origin    string `json:"origin"` // one of exports.Origins, or "publisher"
	Statement string `json:"statement"`
	Use       string `json:"use"`
	Where     string `json:"where"`
}

// publisher is the origin of a statement that nobody else wrote.
const publisher = "publisher"

// Findings counts what is worth correcting: contradictions, unconfirmed
// statements, rules that keep out more than training, broken documents and
// tolerated deviations.
func (r *Report) Findings() int {
	n := len(r.Conflicts) + len(r.Warnings)
	for _, d := range r.Doubts {
		if d.Confirmation == exports.Unconfirmed {
			n++ // contradicted ones are among the conflicts
		}
	}
	for i := range r.Documents {
		n += len(r.Documents[i].Warnings)
		if d := &r.Documents[i]; len(d.Warnings) == 0 && (d.State == "invalid" || d.Reading == string(statements.Failed)) {
			n++
		}
	}
	return n
}

// Lint reads what was observed of a site and judges one resource at an instant
// (RFC 3339), as the registry does. site is what the registry holds about the
// publisher; if it is nil, the site is judged by what its own file would
// register. Lint also judges for each of agents, beside everybody. It returns
// an error if a row of site cannot be read.
func Lint(seen []origin.Observation, site *rights.SiteSnapshot, resource, at string, agents ...string) (Report, error) {
	r := Report{
		Resource: resource, Documents: []ReportDocument{}, Stated: []ReportLine{}, Agents: []string{}, ByAgent: []AgentVerdicts{}, Assumed: []string{}, Differences: []Difference{},
	}
	if site == nil {
		site = unregisteredSite(seen, resource, at)
	}
	judged := *site // as if it were approved: lint also serves sites that are not yet
	judged.Site.State, judged.Site.Visibility = origin.Approved, "public"
	judged.Evidence = nil
	left := SiteBudget
	for i := range seen {
		o := &seen[i]
		e := EvidenceOf(o, &left)
		judged.Evidence = append(judged.Evidence, e)
		d := ReportDocument{Channel: o.Channel, URL: o.URL, State: e.State, Statements: e.Statements, Warnings: []channel.Warning{}}
		if e.Document != "" {
			parsed := Parse(o)
			d.Warnings = append(d.Warnings, parsed.Warnings...)
			d.Reading = string(parsed.Document.Reading())
		}
		if e.State == "unreachable" {
			d.Reading = string(statements.Failed)
		}
		r.Documents = append(r.Documents, d)
	}
	doc, _, err := rights.RightsDocumentNow(&judged, at)
	if err != nil {
		return Report{}, err
	}
	answers := statements.Answers(doc.Documents, resource)
	r.addAnswers(answers)
	about := r.addVerdicts(doc, takenOut(seen, resource), at, agents)
	r.Known, r.Warnings = rights.NewJudge(doc, at).Agents(&about, site.Signals)
	r.addAssumptions(answers)
	return r, nil
}

// unregisteredSite returns the site that a publisher's own file would register:
// its preferences and offers, and whether it takes inquiries. Without a
// readable file it has no statements.
func unregisteredSite(seen []origin.Observation, resource, at string) *rights.SiteSnapshot {
	const siteID = "unregistered"
	f := &rights.SiteSnapshot{Site: origin.Site{
		SiteID: siteID, SiteURL: resource, State: origin.Approved, Visibility: "public", AcceptsInquiries: true, ApprovedAt: at, ChangedAt: at,
	}}
	for i := range seen {
		if statements.Name(seen[i].Channel) != statements.PublisherFile {
			continue
		}
		file, err := publisherfile.Read([]byte(seen[i].Raw))
		if err != nil {
			continue // the document's evidence says what is wrong
		}
		f.Site, f.Preferences, f.Offers = filepolicy.Register(f.Site, &file.File, at)
		return f
	}
	return f
}

func (r *Report) addAnswers(answers []statements.Answer) {
	named := map[string]bool{}
	for i := range answers {
		a := &answers[i]
		if a.Agent != "" && !named[a.Agent] {
			named[a.Agent] = true
			r.Agents = append(append(r.Agents, a.Agent), a.Alike...)
		}
		if a.Effect == statements.Unknown && a.Retention == "" {
			continue
		}
		l := ReportLine{Channel: string(a.Channel), Agent: a.Agent, Use: string(a.Use), Effect: a.Effect.String(), Statement: a.Value, Origin: publisher}
		if len(a.Sources) > 0 {
			l.Where = strings.TrimSpace(a.Sources[0].URL + " " + a.Sources[0].Locator)
			l.Origin = cmp.Or(a.Sources[0].Origin, publisher)
		}
		r.Stated = append(r.Stated, l)
	}
	sort.Strings(r.Agents)
}

// takenOut returns how the publisher's own file on the host of a resource
// removes it from registries, "" if it does not.
func takenOut(seen []origin.Observation, resource string) string {
	for i := range seen {
		if statements.Name(seen[i].Channel) != statements.PublisherFile || urlkey.HostOf(seen[i].URL) != urlkey.HostOf(resource) {
			continue
		}
		file, err := publisherfile.Read([]byte(seen[i].Raw))
		switch {
		case err != nil: // the document's evidence says what is wrong
		case file.Listing == "closed":
			return "publisher_file: the listing is closed, so registries withdraw every page"
		case file.Withdraws(resource):
			return "publisher_file: the file withdraws this page from registries"
		}
	}
	return ""
}

// addVerdicts adds the verdicts on the resource, and returns it as it was judged.
func (r *Report) addVerdicts(doc *rights.RightsDocument, takenOut, at string, agents []string) rights.Resource {
	q := rights.Question{}
	if t, ok := exports.ParseInstant(at); ok {
		q.At = t.Unix()
	}
	about := rights.Resource{URL: r.Resource}
	if takenOut != "" {
		about.State = rights.EntryWithdrawn
		r.Assumed = append(r.Assumed, takenOut)
	}
	j := doc.Evaluate(about, q, nil, false)
	r.Verdicts = verdictsOf(&j)
	r.Vector = j.Vector
	r.Conflicts = j.Conflicts
	r.Doubts = j.Confirmations()
	for _, agent := range agents {
		q.Agent = agent
		told := doc.Evaluate(about, q, nil, false)
		r.ByAgent = append(r.ByAgent, AgentVerdicts{Agent: agent, Verdicts: verdictsOf(&told), Vector: told.Vector})
	}
	return about
}

func verdictsOf(j *rights.Judgement) []Verdict {
	var out []Verdict
	for i := range j.Uses {
		u := &j.Uses[i]
		out = append(out, Verdict{Use: u.Use, Verdict: u.Verdict, Reason: u.Reason, DependsOn: u.DependsOn, Obligations: u.Obligations, Retention: u.Retention})
	}
	return out
}

// addAssumptions adds what had to be assumed in reading the statements: one
// line for each reason, with the uses that it concerns.
func (r *Report) addAssumptions(answers []statements.Answer) {
	var lines []string
	uses := map[string][]string{}
	add := func(line string, use exports.Use) {
		if uses[line] == nil {
			lines = append(lines, line)
		}
		uses[line] = append(uses[line], string(use))
	}
	for i := range answers {
		a := &answers[i]
		words := string(a.Channel) + ": " + strings.Join(a.Loss, ", ")
		switch {
		case a.Agent != "":
		case a.Effect == statements.Disallow && len(a.Loss) > 0:
			add(words+" is wider than the use, its prohibition was taken over", a.Use)
		case a.Why == statements.WhyWiderWord:
			add(words+" does not name the use exactly, its permission was not taken over", a.Use)
		case a.Why == statements.WhyUnread && len(a.Sources) > 0:
			add(string(a.Channel)+": "+a.Value+"; while a document is not read whole, no permission beside it is taken over", a.Use)
		case a.Why == statements.WhyRefined:
			add(string(a.Channel)+": the reservation gives way to the policy that it points to", a.Use)
		}
	}
	for i := range r.Verdicts {
		v := &r.Verdicts[i]
		if v.Verdict == "unknown" {
			add("nothing was said; unknown is not allowed", v.Use)
		}
		if len(v.DependsOn) > 0 {
			add("depends on "+strings.Join(v.DependsOn, " and ")+"; the least favourable case was taken", v.Use)
		}
	}
	for _, c := range r.Conflicts {
		add("the channels disagree; the most restrictive statement was taken", exports.Use(c.Use))
	}
	for _, line := range lines {
		r.Assumed = append(r.Assumed, line+" ("+strings.Join(uses[line], ", ")+")")
	}
}

// GuessChannel returns the channel of a document by its name and content; "" if
// none fits.
func GuessChannel(name string, body []byte) string {
	base := strings.ToLower(name[strings.LastIndexAny(name, "/\\")+1:])
	text := bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\ufeff")))
	head := strings.ToLower(string(text[:min(len(text), 2048)]))
	switch {
	case base == "robots.txt" || base == "robots-fragment.txt":
		return "robots"
	case base == "ai.txt":
		return "ai_txt"
	case base == "trust.txt" || base == "trust-fragment.txt":
		return "trust_txt"
	case strings.HasSuffix(base, "tdmrep.json"):
		return "tdmrep"
	case base == "colophon-publisher.json" || strings.HasPrefix(head, "{") && strings.Contains(head, `"colophon_publisher"`):
		return "publisher_file"
	case strings.HasPrefix(head, "<?xml") || strings.HasPrefix(head, "<rsl"):
		return "rsl"
	case strings.HasPrefix(head, "<"):
		return "html_meta"
	case strings.HasPrefix(head, "[") && strings.Contains(head, "tdm-reservation"):
		return "tdmrep"
	case strings.HasPrefix(head, "{"):
		return guessJSON(head)
	case strings.HasPrefix(head, "http/") || strings.HasSuffix(base, ".headers"):
		return "aipref_header"
	case strings.Contains(head, "user-agent:"):
		return "robots"
	case strings.Contains(head, "content-usage:") || strings.Contains(head, "content-signal:") || strings.Contains(head, "tdm-reservation:"):
		return "aipref_header"
	}
	return ""
}

func guessJSON(head string) string {
	switch {
	case strings.Contains(head, "odrl"):
		return "tdm_policy"
	case strings.Contains(head, "cawg.") || strings.Contains(head, "c2pa."):
		return "cawg"
	case strings.Contains(head, `"package"`):
		return "comp"
	case strings.Contains(head, `"telemetry"`):
		return "telemetry_manifest"
	}
	return ""
}

// File returns an observation of a local document, as if it had just been found
// at an address.
func File(name, url, at string, body []byte) (origin.Observation, bool) {
	kind := GuessChannel(name, body)
	return origin.Observation{Channel: kind, URL: url, Status: 200, Raw: string(body), SHA256: wire.SHA256Hex(body), FetchedAt: at}, kind != ""
}
