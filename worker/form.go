package worker

import (
	"context"
	"strconv"
	"strings"

	"colophon/exports"
	"colophon/internal/inquiry"
	"colophon/internal/wire"
	"colophon/worker/edge"
)

// form is a posted form: decoded names and texts, each name once.
type form []value

func (f form) get(name string) string { return values(f).get(name) }

// parseForm decodes an application/x-www-form-urlencoded body. Line breaks
// become line feeds.
func (c *call) parseForm(most int) (form, error) {
	if c.media() != "application/x-www-form-urlencoded" {
		return nil, fail("unsupported_media_type", "Content-Type must be application/x-www-form-urlencoded.")
	}
	if len(c.Body) > most || c.TooLarge {
		return nil, fail("body_too_large", "")
	}
	var f form
	for rest := string(c.Body); rest != ""; {
		var pair string
		pair, rest, _ = strings.Cut(rest, "&")
		rawName, rawText, _ := strings.Cut(pair, "=")
		name, ok := decode(rawName)
		text, ok2 := decode(rawText)
		switch {
		case pair == "":
			continue
		case !ok || !ok2:
			return nil, fail("malformed_json", "The form has a broken percent-encoding or is not UTF-8.")
		case values(f).has(name) || len(f) == 64:
			return nil, fail("malformed_json", "The form has a field twice, or too many fields.")
		}
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
		f = append(f, value{name, text})
	}
	return f, nil
}

// requestFields are the fields of the request form, in the order in which a
// person meets them.
var requestFields = []struct {
	name, label string
	rows        int // 0: one line
}{
	{"requester_name", "Name", 0}, {"requester_email", "E-mail", 0}, {"company", "Organization (optional)", 0},
	{"requested_use", "Use (optional)", 0}, {"intended_use", "What you want to do", 3}, {"requested_scope", "Which pages", 0},
	{"message", "Message to the publisher", 6}, {"budget_range", "Budget (optional)", 0}, {"requested_timeline", "Timeline (optional)", 0},
}

// createFromForm takes a request from the publisher's form page and answers
// with a page, unless the caller prefers JSON.
func (c *call) createFromForm(ctx context.Context) (*edge.Response, error) {
	f, err := c.parseForm(exports.MaxBody)
	if err != nil {
		return nil, err
	}
	done, err := c.submitForm(ctx, f)
	if Accepts(c.Header.Get("accept"), []string{"text/html", "application/json"}) != "text/html" {
		if err != nil {
			return nil, err
		}
		receipt := inquiry.Receipt(done.request, done.token)
		resp := respond(201, &receipt)
		resp.Header = append(resp.Header, done.header...)
		return resp, nil
	}
	if err != nil {
		fault := failureOf(err)
		if fault == nil {
			return nil, err
		}
		return c.problemPage(ctx, fault, againForm(f, fault)), nil
	}
	resp := c.page(ctx, 201, "The inquiry is sent", receiptPage(done))
	resp.Header = append(resp.Header, done.header...)
	return resp, nil
}

func (c *call) submitForm(ctx context.Context, f form) (submitted, error) {
	members := []wire.Member{wire.M("site_id", wire.String(f.get("site_id")))}
	for _, field := range requestFields {
		if text := strings.TrimSpace(f.get(field.name)); text != "" {
			members = append(members, wire.M(field.name, wire.String(text)))
		}
	}
	v := wire.Object(members...)
	var body exports.PublicRequest
	if err := wire.DecodeValue(&v, &body); err != nil {
		return submitted{}, err
	}
	s := submission{body: &body, fingerprint: c.fingerprint(v), form: true}
	if f.get("website") != "" { // the field that people do not see
		s.doubt = "honeypot"
	}
	return c.submitPublic(ctx, &s)
}

// receiptPage shows the conversation and its token, once.
func receiptPage(done submitted) *markup {
	m := &markup{}
	m.tag(`<p class="lead">Your inquiry reached the service. It grants no right and binds nobody.</p><dl class="facts wide">`)
	for _, row := range [][2]string{
		{"Request", done.request.RequestID}, {"Publisher", done.request.SiteID}, {"Conversation", done.request.ThreadID},
		{"Token", done.token},
	} {
		m.element("dt", row[0]).tag("<dd><code>").text(row[1]).tag("</code></dd>")
	}
	m.tag(`</dl><p class="warn">Keep the conversation and its token: the token is shown only now.</p>`)
	m.tag(`<form method="post" action="` + exports.PathConversationPage + `">`)
	m.hidden("thread_id", done.request.ThreadID).hidden("token", done.token)
	return m.tag(`<p><button type="submit">Open the conversation</button></p></form>`)
}

// againForm shows what must be corrected, with everything that was typed.
func againForm(f form, fault *failure) *markup {
	m := &markup{}
	m.tag(`<div class="warn" role="alert">`)
	if fault.detail != "" {
		m.element("p", fault.detail)
	}
	m.element("p", exports.KindOf(fault.code).Help).tag("<ul>")
	wrong := map[string]string{}
	for _, e := range fault.fields {
		name := strings.TrimPrefix(e.Pointer, "/")
		wrong[name] = e.Detail
		m.tag(`<li><a href="#`).text(name).tag(`">`).text(name + ": " + e.Detail).tag("</a></li>")
	}
	m.tag(`</ul></div><form class="form" method="post" action="` + exports.PathLicensingRequest + `" accept-charset="utf-8">`)
	m.hidden("site_id", f.get("site_id"))
	for _, field := range requestFields {
		m.tag(`<p><label for="` + field.name + `">`).text(field.label).tag("</label> ")
		invalid := ""
		if wrong[field.name] != "" {
			invalid = ` aria-invalid="true" aria-describedby="` + field.name + `-error"`
		}
		if field.rows > 0 {
			m.tag(`<textarea id="` + field.name + `" name="` + field.name + `" rows="` + strconv.Itoa(field.rows) + `"` + invalid + ">\n")
			m.text(f.get(field.name)).tag("</textarea>")
		} else {
			m.tag(`<input id="` + field.name + `" name="` + field.name + `"` + invalid + ` value="`).text(f.get(field.name)).tag(`">`)
		}
		if wrong[field.name] != "" {
			m.tag(` <small id="` + field.name + `-error">`).text(wrong[field.name]).tag("</small>")
		}
		m.tag("</p>")
	}
	m.tag(`<p class="trap" aria-hidden="true"><label for="website">Leave this empty</label><input id="website" name="website" tabindex="-1" autocomplete="off"></p>`)
	return m.tag(`<p><button type="submit">Send the inquiry</button></p></form>`)
}
