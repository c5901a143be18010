package web

import (
	"context"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"colophon/exports"
	"colophon/internal/canonicaltext"
	"colophon/internal/iscc"
	"colophon/internal/lookup"
	"colophon/internal/prose"
	"colophon/internal/urlkey"
	"colophon/templates/content"
	"colophon/worker/edge"
	"colophon/worker/page"
	"colophon/worker/problem"
	"colophon/worker/request"
	"colophon/worker/rightscheck"
)

// maxBox is how many bytes the box of the check page accepts, encoded.
const maxBox = 512 << 10

// boxed is what someone entered in the box of the check page: a lookup key of
// the rights check with its value, or other words.
type boxed struct {
	key   string // url, entry_id, fingerprint, site_id; "iscc"; "words" if nothing can be looked up
	value string
	text  bool   // the fingerprint is that of an entered text
	code  string // similarity code of that text, "" if not known
}

// readBox interprets what was entered. Anything other than an address,
// identifier or fingerprint is a text, whose portable fingerprint is looked up
// unless it is too short to have a record.
func readBox(s string) boxed {
	s = strings.TrimSpace(s)
	lower := strings.ToLower(s)
	digest := strings.TrimPrefix(strings.TrimPrefix(lower, "sha-256:"), "sha256:")
	oneWord := !strings.ContainsAny(s, " \t\r\n")
	switch {
	case oneWord && (strings.HasPrefix(lower, "https:") || strings.HasPrefix(lower, "http:")):
		return boxed{key: "url", value: s}
	case strings.HasPrefix(s, "ent_") && exports.ValidEntryID(s):
		return boxed{key: "entry_id", value: s}
	case len(digest) == 64 && strings.Trim(digest, "0123456789abcdef") == "":
		return boxed{key: "fingerprint", value: digest}
	case strings.HasPrefix(lower, "iscc:"):
		return boxed{key: "iscc", value: s}
	case oneWord && hostFirst(lower):
		return boxed{key: "url", value: "https://" + s}
	case exports.ValidSiteID(s):
		return boxed{key: "site_id", value: s}
	}
	if canonical, err := canonicaltext.CanonicalText(s); err == nil && len([]rune(canonical)) >= canonicaltext.MinTextRunes {
		return boxed{key: "fingerprint", value: canonicaltext.PortableDigest([]byte(canonical)), text: true}
	}
	return boxed{key: "words", value: s}
}

// hostFirst reports whether s begins like an address without its scheme:
// labels with a dot between them.
func hostFirst(s string) bool {
	host, _, _ := strings.Cut(s, "/")
	ascii, ok := urlkey.ASCIIHost(host)
	top := ascii[strings.LastIndexByte(ascii, '.')+1:]
	return ok && len(top) >= 2 && (request.OnlyBetween(top, 'a', 'z') || strings.HasPrefix(top, "xn--"))
}

// CheckPage answers with the page that has one box. A posted question becomes
// an address, in which a text is represented by its fingerprint, so that an
// answer can be passed on and no text appears in an address or a log.
func (s *Service) CheckPage(ctx context.Context, c *request.Call) (*edge.Response, error) {
	asked, err := request.ParseQuestion(c.Query, "q", "territory", "user_type", "text", "iscc")
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(asked.Get("q")) == "" {
		return s.Pages.Files.Serve(ctx, c.Request, nil)
	}
	return s.Limits.Answer(ctx, s.Limits.CallerKey(c.Remote), []string{c.Endpoint.Limits}, func() (*edge.Response, error) { return s.answerBox(ctx, c, asked) })
}

// CheckForm redirects from the form to the address of its answer.
func (s *Service) CheckForm(ctx context.Context, c *request.Call) (*edge.Response, error) {
	f, err := c.ParseForm(maxBox)
	if err != nil {
		return nil, err
	}
	asked := readBox(f.Get("q"))
	if f.Get("look") != "" && asked.key == "url" && s.Unregistered != nil {
		return s.answerLook(ctx, c, asked, request.Values{{"q", f.Get("q")}, {"territory", f.Get("territory")}, {"user_type", f.Get("user_type")}})
	}
	var question request.Values
	if asked.value != "" {
		value := asked.value
		if asked.key == "words" {
			value = prose.Clean(value, 200)
		}
		question = request.Values{{"q", value}, {"territory", f.Get("territory")}, {"user_type", f.Get("user_type")}}
		if asked.text {
			question = append(question, [2]string{"text", "1"}, [2]string{"iscc", s.codeOf(f.Get("q"))})
		}
	}
	return request.SeeOther(question.Append(exports.PathCheckPage)), nil
}

// codeOf returns the similarity code of a text, "" if this host does not compute
// codes.
func (s *Service) codeOf(text string) string {
	if s.TextCode == nil {
		return ""
	}
	return s.TextCode(text)
}

// answerBox asks the rights check and shows its answer in words.
func (s *Service) answerBox(ctx context.Context, c *request.Call, asked request.Values) (*edge.Response, error) {
	parts, status, err := s.boxAnswer(ctx, c, asked)
	if err != nil {
		return nil, err
	}
	return s.fillBox(ctx, c, asked, status, parts)
}

// fillBox answers with the published page around the question and its answer.
func (s *Service) fillBox(ctx context.Context, c *request.Call, asked request.Values, status int, parts []templ.Component) (*edge.Response, error) {
	return s.Pages.Answer(ctx, c, status, exports.PathCheckPage, content.Check(asked, page.Parts(parts)))
}

func (s *Service) boxAnswer(ctx context.Context, c *request.Call, asked request.Values) ([]templ.Component, int, error) {
	box := readBox(asked.Get("q"))
	if box.key == "fingerprint" && asked.Get("text") != "" {
		box.text, box.code = true, asked.Get("iscc")
	}
	switch box.key {
	case "iscc":
		parts, err := s.answerCode(ctx, c, box, asked)
		return parts, 200, err
	case "words":
		return []templ.Component{noKey(box.value)}, 200, nil
	}
	q, err := s.boxQuestion(c, box, asked)
	if f := problem.Of(err); err != nil && f != nil && f.Code == "invalid_parameter" {
		return []templ.Component{page.Refused(f.Detail)}, 400, nil
	}
	if err != nil {
		return nil, 0, err
	}
	a, err := s.Rights.Answer(ctx, q)
	if err != nil {
		return nil, 0, err
	}
	v := &checkView{service: s, ctx: ctx, box: box, answer: a, now: s.Now()}
	if _, err := iscc.Parse(box.code); err == nil { // a text is also found by its code
		if v.parts, err = s.reservedByCode(ctx, c, box.code, asked); err != nil {
			return nil, 0, err
		}
	}
	v.all()
	return v.parts, 200, v.err
}

// boxQuestion returns the question that the box and the two selects put to the
// rights check.
func (s *Service) boxQuestion(c *request.Call, box boxed, asked request.Values) (*rightscheck.Question, error) {
	inner := &request.Call{
		Request:  &edge.Request{Method: "GET", Path: exports.PathRightsCheck, ID: c.ID, Remote: c.Remote}, // no credential: the page is public
		Endpoint: c.Endpoint, Params: c.Params, Values: request.Values{{box.key, box.value}},
	}
	for _, name := range []string{"territory", "user_type"} {
		if v := asked.Get(name); v != "" {
			inner.Values = append(inner.Values, [2]string{name, v})
		}
	}
	return s.Rights.ParseQuestion(inner)
}

// noKey answers for words that are neither an address nor a text.
func noKey(words string) templ.Component {
	question := "?q=" + exports.EscapeQuery(words, "*")
	return page.NoKey(prose.Clean(words, 60), exports.PathCatalogPage+question, exports.PathPublishersPage+question)
}

// similar returns the registered pages that have the address if its query is
// ignored, which often makes no difference.
func (s *Service) similar(ctx context.Context, url string) ([]exports.Candidate, error) {
	bare, query, _ := strings.Cut(url, "?")
	if query == "" {
		return nil, nil
	}
	f, err := s.Catalog.Find(ctx, lookup.Query{URL: bare})
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(f.Candidates, func(x exports.Candidate) bool { return x.Withdrawn }), nil
}
