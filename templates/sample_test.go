package templates

import (
	"fmt"

	"github.com/a-h/templ"

	"colophon/exports"
	"colophon/templates/content"
	"colophon/templates/entrypage"
	"colophon/templates/frame"
)

// The page of an entry is among the samples too.
type CitationPage = entrypage.View

var Citation = entrypage.Page

// sampleSite is the frame that every sample page shares.
var sampleSite = frame.SiteFrame{Base: "https://svc.example", UpdatedAt: "2026-11-20T06:00:00Z"}

type samplePage struct {
	File string
	Page templ.Component
}

const sampleDigest = "1ff362eb002831322a22d85878b626a9a023b43ce3848a6c390fcf38d249b3ef"

type sampleName struct {
	id, name, summary, lang, vector, readiness, category string
	pages                                                int64
	titles                                               []string
}

var sampleNames = []sampleName{
	{"alwaha", "مجلة الواحة للعلوم", "مجلة شهرية عن المياه والزراعة في المناطق الجافة.", "ar", "LLDSUUUU", "declared", "science", 412, []string{"كيف تُدار المياه الجوفية في الواحات: دراسة من ثلاث سنوات", "تقرير 2026 عن نخيل التمر"}},
	{"dongfang", "东方气象观察", "面向专业读者的气象与海洋数据评论。", "zh-Hans", "LDDSLDUL", "attested", "weather", 9120, []string{"台风季节回顾：二〇二六年西北太平洋的路径与强度", "海平面观测数据说明"}},
	{"fjord-post", "Fjordposten", "Local news from the western coast, since 1871.", "nb", "DDDSDDUU", "listed", "news", 18240, []string{"Ferja til Lavik er innstilt", "Kommunestyret vedtok ny skuleplan"}},
	{"harbor-ledger", "Harbor Ledger", "Port and shipping news with tide, tariff and berth data.", "en", "LDDSLDUU", "attested", "trade-logistics", 18240, []string{"Tide tables 2026", "What a berth costs: tariffs of forty European ports compared", "Pilotage rules change in March"}},
	{"himmel-hansen", "Himmel & Hansen <Verlag>", "Bücher über Astronomie & Navigation.", "de", "lDDSLDUU", "declared", "science", 87, []string{"Die Sterne & wir"}},
	{"kyo-kikai", "京都機械技術ジャーナル", "工作機械と精密加工の専門誌。", "ja", "USSSSUSS", "listed", "engineering", 2044, []string{"五軸加工機の熱変位補正について", "切削油の選び方"}},
	{"long", "The Quite Extraordinarily Long-Named Quarterly Review of Comparative Administrative Procedure and Public Records", "A name that does not fit anywhere.", "en", "UUUUUUUU", "none", "law", 3, []string{"On the length of names in registers, with an appendix that lists all of the names that were found to be too long for the registers in which they had to be entered"}},
	{"tel-aviv-arts", "במה ומסך", "ביקורות תיאטרון וקולנוע.", "he", "LDDSLDWW", "enforced", "culture", 640, []string{"עונת התיאטרון נפתחת: שלוש הצגות שאסור להחמיץ"}},
}

var sampleCategories = []exports.Category{
	{Slug: "trade-logistics", Label: "Trade and logistics", Description: "Ports, freight, tariffs and supply chains.", Publishers: 1, RegisteredPages: 18240},
	{Slug: "science", Label: "Science", Description: "Research and reporting on it.", Publishers: 2, RegisteredPages: 499},
	{Slug: "weather", Label: "天气与海洋", Publishers: 1, RegisteredPages: 9120},
	{Slug: "news", Label: "News", Publishers: 1, RegisteredPages: 18240},
	{Slug: "engineering", Label: "Engineering", Publishers: 1, RegisteredPages: 2044},
	{Slug: "culture", Label: "Culture", Publishers: 1, RegisteredPages: 640},
}

func sampleSummary(n sampleName) exports.PublisherSummary {
	return exports.PublisherSummary{
		SiteID: n.id, Name: n.name, SiteURL: "https://" + n.id + ".example/", Summary: n.summary, Categories: []string{n.category},
		Languages: []string{n.lang}, Countries: []string{"NL"}, RegisteredPages: n.pages, ContentFormats: []string{"html", "dataset"}, Verified: n.readiness != "none",
		AcceptsInquiries: n.id != "fjord-post", RAGSuitability: "high", Readiness: n.readiness, RightsVector: n.vector, UpdatedAt: "2026-11-18T10:00:00Z",
	}
}

func samplePreferences(n sampleName) []exports.Preference {
	inquiry := map[byte]string{'L': "welcome", 'D': "not_offered", 'S': "unstated", 'U': "unstated", 'W': "unstated"}
	declared := map[byte]string{'L': "disallow", 'D': "disallow", 'S': "allow", 'U': "unknown", 'W': "unknown"}
	var out []exports.Preference
	for i, u := range exports.Uses {
		c := n.vector[i] &^ 0x20
		p := exports.Preference{Use: string(u), Inquiry: inquiry[c], Declared: declared[c], Source: "publisher", Since: "2026-09-01T00:00:00Z"}
		if u == exports.UseRAG {
			p.Inquiry, p.Conditions, p.Note = "conditional", []string{"attribution", "link_back"}, "Ask for the newsroom archive; images are excluded."
		}
		out = append(out, p)
	}
	return out
}

func sampleMap(n sampleName) exports.MapRecord {
	var signals []exports.ReadinessSignal
	for i, s := range exports.ReadinessSignals {
		r := exports.ReadinessSignal{Signal: s, State: "found", Evidence: "/v1/licensing-marketplace/publishers/" + n.id + "/content-inventory", CheckedAt: "2026-11-20T05:40:00Z"}
		switch {
		case i%4 == 3:
			r.State, r.Evidence = "not_found", ""
		case s == "urvp":
			r = exports.ReadinessSignal{Signal: s, State: "unchecked"}
		case s == "rsl":
			r.Evidence = "https://" + n.id + ".example/license.xml"
		}
		signals = append(signals, r)
	}
	m := exports.MapRecord{
		SiteID: n.id, Name: n.name, SiteURL: "https://" + n.id + ".example/", Categories: []string{n.category}, Readiness: n.readiness, Signals: signals,
		RightsVector: n.vector, Preferences: samplePreferences(n), RegisteredPages: n.pages, Offers: 2, ProvenanceRecords: n.pages - 1, AcceptsInquiries: n.id != "fjord-post",
		Channels: []exports.ChannelState{
			{Channel: "rsl", URL: "https://" + n.id + ".example/license.xml", State: "valid", Statements: 3, Warnings: []string{"absolute_content_url"}, CheckedAt: "2026-11-20T05:40:00Z",
				Reporting: []exports.Reporting{{Type: "telemetry", Profile: "https://contenttelemetry.org/profiles/spur", Endpoint: "https://telemetry." + n.id + ".example/v1/events"}, {Type: "audit", Profile: "urn:<x>"}}},
			{Channel: "content_signal", URL: "https://" + n.id + ".example/robots.txt", State: "valid", Statements: 1, Warnings: []string{"cdn_lines", "cdn_contradicts_publisher"}, CheckedAt: "2026-11-20T05:40:00Z"},
			{Channel: "tdmrep", State: "absent", CheckedAt: "2026-11-20T05:40:00Z"},
		},
		Policy:    &exports.PolicyRef{PolicyID: "pol_" + n.id, Version: 7, Digest: "sha-256:" + sampleDigest, EffectiveFrom: "2026-09-01T00:00:00Z"},
		UpdatedAt: "2026-11-20T06:00:00Z",
	}
	m.Agents = []exports.AgentGroup{
		{Agents: []string{"GPTBot", "ClaudeBot", "CCBot", "Amazonbot", "Bytespider", "Diffbot", "Timpibot", "omgili"}, Class: "training", Edge: "match",
			Uses: []exports.AgentUse{{Use: "training", Verdict: "declined", Reason: "signal_disallows", Told: []exports.Told{{Channel: "robots", Effect: "disallow", Statement: "Disallow: /"}}}}},
		{Agents: []string{"Google-Extended"}, Class: "training", Crawler: "Googlebot", Uses: []exports.AgentUse{
			{Use: "training", Verdict: "unknown", Reason: "no_statement"}, {Use: "rag", Verdict: "signal_allow", Reason: "signal_allows"}}},
		{Agents: []string{"OAI-SearchBot"}, Class: "search", Edge: "unchecked", Uses: []exports.AgentUse{{Use: "search_indexing", Verdict: "license_required", Reason: "offer_exists"}}},
	}
	m.AgentWarnings = []exports.AgentWarning{{
		Agents: []string{"OAI-SearchBot", "Claude-SearchBot", "PerplexityBot", "Applebot", "bingbot", "YouBot", "Googlebot"}, Use: "search_indexing", Statement: "Disallow: /",
		URL: "https://" + n.id + ".example/robots.txt", Locator: "line 2", Origin: "cdn", Instead: []string{"GPTBot"},
	}}
	if n.vector[0] == 'l' {
		m.Conflicts = []exports.Conflict{{Use: "rag", Between: []string{"rsl", "content_signal"}, Values: []string{"allow", "disallow"}, Taken: "disallow"}}
	}
	return m
}

func sampleEntries(n sampleName, count int) []exports.Entry {
	var out []exports.Entry
	for i := range count {
		t := n.titles[i%len(n.titles)]
		out = append(out, exports.Entry{
			EntryID: fmt.Sprintf("ent_%s%04d", "uxk63f6obrc7bv7c4f42k6", i), SiteID: n.id, Title: t, URL: fmt.Sprintf("https://%s.example/section/page-%d", n.id, i),
			Section: "shipping", Terms: []string{"tides", "pilotage", "harbour data"}, ContentFormat: "html", Language: n.lang, WordCount: 2150,
			PublishedAt: "2026-01-02T00:00:00Z", ModifiedAt: "2026-10-30T08:12:00Z", RegisteredAt: "2026-02-11T09:00:00Z", RightsVector: n.vector, Digest: sampleDigest,
		})
	}
	return out
}

func sampleOffers(n sampleName) []exports.Offer {
	return []exports.Offer{{
		LicenseID: "lic_5qixfwhozvhvdukowfdcl7dlhh", Kind: "custom", Status: "offered", Title: "Newsroom grounding, internal assistants", SiteID: n.id,
		Scope:   exports.OfferScope{Type: "section", Paths: []string{"/shipping/*", "/tariffs/*"}, Entries: 9120},
		Permits: []string{"rag", "summarization"}, Prohibits: []string{"training", "fine_tuning", "datasets"}, UserTypes: []string{"commercial", "education"}, Territories: []string{"EU", "GB"},
		Payment:     exports.Payment{Model: "use", Amount: "0.015", Currency: "EUR", Unit: "grounded_answer"},
		Obligations: exports.Obligations{Attribution: "link", DisplayLimitChars: 600, ReportingProfile: "x", DeleteOnRevocationHours: 72},
		Terms:       &exports.Terms{URL: "https://harbor-ledger.example/licensing/grounding-v3", Version: "3"}, ValidFrom: "2026-09-01T00:00:00Z",
	}}
}

func samplePublisher(n sampleName) exports.Publisher {
	p := exports.Publisher{
		PublisherSummary: sampleSummary(n), PublisherID: "pub_" + n.id, Description: "A longer description of " + n.name + ", in the publisher’s own words. It may be several sentences long.",
		DomainControl: "dns_txt", ControlChecked: "2026-11-01T00:00:00Z", Audience: "professional", TechnicalDepth: "advanced", Preferences: samplePreferences(n),
		Websites:  []exports.Website{{Host: n.id + ".example", Associated: true, Method: "dns_txt"}, {Host: "data." + n.id + ".example", Method: "none"}},
		Sections:  []exports.Section{{Path: "/shipping/", Label: "Shipping", Pages: 9120}, {Path: "/tariffs/", Label: "Tariffs", Pages: 410}},
		Policy:    &exports.PolicyRef{PolicyID: "pol", Version: 7, EffectiveFrom: "2026-09-01T00:00:00Z"},
		HumanPage: "https://" + n.id + ".example/licensing/", Records: exports.RecordCount{Records: n.pages - 1, LedgerEntries: n.pages},
	}
	p.Coverage = exports.Coverage{FirstPublished: "2009-03-01T00:00:00Z", LastPublished: "2026-11-18T00:00:00Z", UpdateCadence: "daily"}
	for y := int64(2009); y <= 2026; y++ {
		p.Coverage.ByYear = append(p.Coverage.ByYear, exports.YearCount{Year: y, Pages: (y - 2000) * (y % 7) * 12})
	}
	return p
}

func sampleCitation(n sampleName) exports.Citation {
	e := sampleEntries(n, 1)[0]
	return exports.Citation{
		EntryID: e.EntryID, CanonicalURL: e.URL, SiteID: n.id, Publisher: n.name, PublisherURL: "https://" + n.id + ".example/",
		Source:   exports.CitedSource{Title: e.Title, Byline: []string{"Data desk"}, PublishedAt: e.PublishedAt, ModifiedAt: e.ModifiedAt, Language: n.lang, Section: e.Section},
		Portable: sampleDigest, Registry: sampleDigest, LedgerIndex: 48211, Status: "active", RightsVector: n.vector,
		Plain:       `Data desk. "` + e.Title + `." ` + n.name + ", 2 January 2026 (updated 30 October 2026). " + e.URL,
		HTML:        `Data desk. <cite>` + e.Title + `</cite>. ` + n.name + `, 2 January 2026. <a href="` + e.URL + `">` + n.id + `.example</a>`,
		BibTeX:      "@misc{" + e.EntryID + ",\n  author = {{Data desk}},\n  title = {" + e.Title + "},\n  year = {2026},\n  url = {" + e.URL + "}\n}\n",
		GeneratedAt: "2026-11-20T06:00:00Z",
	}
}

func sampleNeed() exports.Demand {
	return exports.Demand{
		DemandID: "dem_01jcz40a", Headline: "European port call and tide data for route planning answers", Uses: []string{"rag"}, Categories: []string{"trade-logistics"},
		ContentFormats: []string{"dataset", "html"}, Languages: []string{"en", "nl"}, Territories: []string{"EU"}, UserType: "commercial", Volume: "10k-50k pages",
		BudgetBand: "10k-50k EUR per year", Timeline: "Q1 2027", OptedInAt: "2026-11-02T00:00:00Z", ExpiresAt: "2027-02-02T00:00:00Z",
	}
}

// samplePages returns every page; those about a publisher are about n.
func samplePages(site frame.SiteFrame, n sampleName) []samplePage {
	var summaries []exports.PublisherSummary
	var records []exports.MapRecord
	var feed []exports.FeedRecord
	for _, s := range append([]sampleName{n}, sampleNames...) {
		summaries = append(summaries, sampleSummary(s))
		records = append(records, sampleMap(s))
		for _, e := range sampleEntries(s, 2) {
			feed = append(feed, exports.FeedRecord{Entry: e, Publisher: exports.PublisherRef{SiteID: s.id, Name: s.name}})
		}
	}
	summaries, records = summaries[1:], records[1:]
	if n.id == "hostile" {
		summaries[0], records[0] = sampleSummary(n), sampleMap(n)
	}
	stats := exports.Stats{Publishers: 8, AcceptingInquiries: 7, Websites: 9, RegisteredPages: 48786, Categories: 6, LicenseOffers: 16, ProvenanceRecords: 48211, LedgerSize: 48230}
	need := sampleNeed()
	record := &exports.Record{Version: 3, Passport: exports.Passport{HolderName: n.name, HolderBasis: "domain_verified"}, Proof: exports.Proof{Created: "2026-10-30T08:20:00Z"}}
	checkpoint := "svc.example/ledger\n48230\ngH6a9Lvyfw2UPo15iRX3K/jeK2fP/GYNuURrzuc/+uw=\n\n— svc.example/ledger cMUn+I4VdwjnsLBXGelXPahTjDBhiWtA2dRW7sUiNjpywAV8mmt03ew2gA9ykHGTTvpTqkAOieSco+2Mx3tfIcY8NwY=\n"
	events := []LedgerEvent{{48229, "updated", "extraction_improved", "ent_a", n.id, n.titles[0], "2026-11-19T00:00:00Z"}, {48228, "key_added", "", "", "", "", "2026-11-18T00:00:00Z"}}
	if n.id == "hostile" {
		need.Headline, need.Volume, need.BuyerDisplay = n.name, n.name, n.name
		need.Languages, need.Territories = []string{n.name}, []string{n.name}
	}
	nav := []DocLink{{"index", "Developers"}, {"reference", "API reference"}, {"buyers", "For buyers"}}
	return append(sampleReference(site, nav), []samplePage{
		{"index.html", Home(HomePage{site, stats, summaries[:6], sampleCategories})},
		{"catalog/index.html", Catalog(CatalogPage{Site: site, Total: 48786, Entries: feed, Categories: sampleCategories})},
		{"categories/index.html", Categories(CategoriesPage{site, sampleCategories})},
		{"categories/science/index.html", Category(CategoryPage{site, sampleCategories[1], summaries, []string{"tides", n.name, "水"}, 1, 3})},
		{"publishers/index.html", Publishers(PublishersPage{site, summaries, sampleCategories, 8, 1, 1})},
		{"publishers/" + n.id + "/index.html", Publisher(PublisherPage{site, samplePublisher(n), sampleMap(n), sampleRights(), sampleOffers(n), sampleCategories, sampleChange(n)})},
		{"publishers/" + n.id + "/pages/2/index.html", Inventory(InventoryPage{site, samplePublisher(n), sampleEntries(n, 50), 2, 9, 50})},
		{"shortlist/index.html", Shortlist(ShortlistPage{site})},
		{"publishers/" + n.id + "/request/index.html", Request(RequestPage{site, sampleSummary(n), samplePreferences(n)})},
		{"citations/" + n.id + "/index.html", Citation(CitationPage{Site: site, Citation: sampleCitation(n), Record: record, Asks: true, Terms: []string{"tides", n.name}})},
		{"rights-map/index.html", RightsMap(RightsMapPage{site, records, sampleCategories, 8, 1, 1, map[string]content.GroupLine{"pub_house": {Sites: 2, Vector: []byte("LD*SUUUU")}}})},
		{"rights-map/" + n.id + "/index.html", MapPublisher(MapPublisherPage{site, sampleMap(n)})},
		{"ledger/index.html", Ledger(LedgerPage{site, "svc.example/ledger", 48230, "gH6a9Lvyfw2UPo15iRX3K/jeK2fP/GYNuURrzuc/+uw=", checkpoint, "svc.example/ledger+70c527f8+AfxRzY5iGKGjjaR+0AIw8FgIFu0TujMDrF3rkRVIkIAl",
			[]LedgerWitness{{"witness.example/w1", "2026-07-01T09:00:00Z"}, {"witness.example/w2", ""}}, 1, events})},
		{"check/index.html", Check(CheckPage{Site: site})},
		{"demand/index.html", Demand(DemandPage{Site: site, Total: 2, Needs: []exports.Demand{need, need2(need)}, Categories: sampleCategories, Uses: map[string]int64{"rag": 2}})},
		{"offers/index.html", Offers(OffersPage{site, sampleOffers(n), map[string]string{n.id: n.name}, sampleCategories, 2})},
		{"verify/index.html", Verify(VerifyPage{site})},
		{"conversation/index.html", Conversation(ConversationPage{site})},
		{"demand/new/index.html", Need(NeedPage{site})},
		{"join/index.html", Join(JoinPage{site})},
		{"editor/index.html", Editor(EditorPage{Site: site, WellKnown: "/.well-known/colophon-publisher.json"})},
		{"developers/index.html", Doc(DocPage{site, "index", "Developers", "Where to start as a buyer, an agent, a publisher or an operator, and the rules that hold on every endpoint.", "<h1>Developers</h1>\n<p>Text.</p>", nav})},
		{"problems/index.html", Problems(ProblemsPage{site, exports.ProblemKinds})},
		{"problems/validation-failed/index.html", Problem(ProblemPage{site, exports.KindOf("validation_failed")})},
		{"publishers/" + n.id + "/policy/index.html", Policy(PolicyPage{Site: site, SiteID: n.id, Name: n.name, Versions: []PolicyVersion{{2, "2026-10-01T00:00:00Z", "", "LDDSLDUU", "LDDLLDUU", 12, sampleChange(n).Channels}, {1, "2026-09-01T00:00:00Z", "2026-10-01T00:00:00Z", "LDDLLDUU", "", -1, nil}}})},
		{"status/index.html", Status(StatusPage{Site: site, Stats: stats})},
		{"imprint/index.html", Own(OwnPage{Site: site, Title: "Imprint", Path: "/imprint/", HTML: "<p>Whoever runs this registry.</p>"})},
		{"404.html", NotFound(NotFoundPage{site})},
		{"_shell/message.html", Shell(ShellPage{site})},
	}...)
}

// sampleReference returns the index of the reference and the pages below it.
func sampleReference(site frame.SiteFrame, nav []DocLink) []samplePage {
	v := ReferencePage{Site: site, Endpoints: exports.Surface, Nav: nav, Answers: map[string]string{"rights_check": "rights_answer"}, Shapes: []Shape{
		{Name: "rights_batch", Members: []ShapeMember{{Name: "items", Kind: "list of", Ref: "rights_item", Required: true}}}, {Name: "rights_item"},
	}}
	pages := []samplePage{{"developers/reference/index.html", Reference(v)}}
	for _, g := range v.Groups() {
		pages = append(pages, samplePage{"developers/reference/" + g.Group + "/index.html", ReferenceGroup(g)})
	}
	return pages
}

func movedCitation(n sampleName) exports.Citation {
	c := sampleCitation(n)
	c.Status, c.Successor, c.SuccessorURL = "superseded", "ent_76543210fedcba9876543210", "https://other.example/"+n.name
	return c
}

func need2(d exports.Demand) exports.Demand {
	d.DemandID, d.Headline, d.BuyerDisplay = "dem_2", "متطلبات بيانات الطقس باللغة العربية", "Example Labs"
	return d
}

// sampleRights returns a use that channels reserve, one that an offer prices
// and one about which nothing is known.
func sampleRights() exports.ResourceRights {
	return exports.ResourceRights{
		Uses: []exports.UseVerdict{
			{Use: "rag", Verdict: "license_required", Reason: "offer_exists", Basis: []string{"ev_3"}},
			{Use: "training", Verdict: "declined", Reason: "signal_disallows", Basis: []string{"ev_1", "ev_2", "ev_4"}},
			{Use: "research", Verdict: "unknown", Reason: "no_statement"},
		},
		Evidence: []exports.Evidence{{ID: "ev_1", Channel: "robots"}, {ID: "ev_2", Channel: "tdmrep"}, {ID: "ev_3", Channel: "offer"}, {ID: "ev_4", Channel: "robots"}},
	}
}

// sampleChange returns a change that closes training, with a channel change by
// each author.
func sampleChange(n sampleName) *exports.PolicyChange {
	robots := "https://" + n.id + ".example/robots.txt"
	return &exports.PolicyChange{
		Version: 2, From: "2026-11-20T05:40:00Z", Uses: []exports.UseChange{{Use: "training", Before: "license_required", After: "declined"}},
		Channels: []exports.ChannelChange{
			{Channel: "robots", URL: robots, Change: "changed", By: []string{"cdn"}, At: "2026-11-20T05:40:00Z"},
			{Channel: "tdmrep", URL: "https://" + n.id + ".example/.well-known/tdmrep.json", Change: "rewritten", By: []string{"unknown"}, At: "2026-11-20T05:40:00Z"},
		},
	}
}
