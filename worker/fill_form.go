package worker

import (
	"bytes"
	"context"
	"strings"

	"colophon/exports"
	"colophon/internal/wire"
	"colophon/worker/edge"
	"colophon/worker/page"
	"colophon/worker/request"
)

// filledForm puts values and complaints into a published form: into the
// fields of that name, and before them in words. The page keeps whatever else
// it says, so that the form that comes back is the one that was sent.
func filledForm(doc []byte, values [][2]string, wrong []wire.FieldError) []byte {
	for _, v := range values {
		if v[1] != "" {
			doc = fillField(doc, v[0], v[1])
		}
	}
	for i := len(wrong) - 1; i >= 0; i-- {
		doc = markField(doc, strings.TrimPrefix(wrong[i].Pointer, "/"), wrong[i].Detail)
	}
	return doc
}

// fillField gives a field its value, be it an input, a text area or a select.
func fillField(doc []byte, name, text string) []byte {
	start, end := tagOf(doc, `name="`+name+`"`)
	if start < 0 {
		return doc
	}
	escaped := exports.AppendHTML(nil, text)
	switch {
	case bytes.Contains(doc[start:end], []byte(`type="checkbox"`)):
		return insert(doc, end-1, []byte(" checked"))
	case bytes.HasPrefix(doc[start:], []byte("<textarea")):
		return insert(doc, end, append([]byte("\n"), escaped...))
	case bytes.HasPrefix(doc[start:], []byte("<select")):
		size := bytes.Index(doc[end:], []byte("</select>"))
		if size < 0 {
			return doc
		}
		return append(append(doc[:end:end], selectOption(doc[end:end+size], text)...), doc[end+size:]...)
	}
	return insert(doc, end-1, append(append([]byte(` value="`), escaped...), '"'))
}

// markField says beside a field what is wrong with it.
func markField(doc []byte, name, why string) []byte {
	name, _, _ = strings.Cut(name, "/")
	start, end := tagOf(doc, `name="`+name+`"`)
	if start < 0 {
		start, end = tagOf(doc, `id="`+name+`"`) // a group of boxes
	}
	if start < 0 {
		return doc
	}
	doc = insert(doc, end-1, []byte(` aria-invalid="true" aria-errormessage="`+name+`-error"`))
	return insert(doc, start, page.Append(nil, page.WrongField(name+"-error", why)))
}

// tagOf finds the tag that has an attribute: where it begins, and where it is
// over. It is -1 when there is none.
func tagOf(doc []byte, attribute string) (start, end int) {
	at := bytes.Index(doc, []byte(" "+attribute))
	if at < 0 {
		return -1, -1
	}
	start, size := bytes.LastIndexByte(doc[:at], '<'), bytes.IndexByte(doc[at:], '>')
	if start < 0 || size < 0 {
		return -1, -1
	}
	return start, at + size + 1
}

func insert(doc []byte, at int, more []byte) []byte {
	out := make([]byte, 0, len(doc)+len(more))
	return append(append(append(out, doc[:at]...), more...), doc[at:]...)
}

// requestPage is the request form with what a link to it brings: the resource
// and the use that the inquiry is about, and who asks from where.
func requestPage(ctx context.Context, c *call) (*edge.Response, error) {
	asked, err := request.ParseQuestion(c.Query, "resource", "use", "territory", "user_type")
	if err != nil {
		return nil, err
	}
	doc, err := c.deps.Assets.Read(ctx, string(exports.KeyOf(c.Path)))
	if err != nil {
		return c.deps.serveFile(ctx, c.Request, nil)
	}
	use, _, _ := exports.ParseUse(asked.Get("use"))
	body := filledForm(doc, [][2]string{
		{"requested_scope", exports.Clean(asked.Get("resource"), 2000)}, {"requested_use", string(use)}, {"message", audienceLine(asked)},
	}, nil)
	return c.respondFilled(body), nil
}

// audienceLine begins a message with who asks and from where, as far as the
// question says so in words that the rights check knows.
func audienceLine(asked request.Values) string {
	a := exports.AudienceStanding{}
	if u := asked.Get("user_type"); exports.OneOf(u, exports.UserTypes) {
		a.UserTypes = []string{u}
	}
	if t := asked.Get("territory"); len(t) == 2 && isLetters(t, 'A', 'Z') {
		a.Territories = []string{t}
	}
	switch {
	case a.UserTypes != nil:
		return "We ask as " + exports.AudienceWords(&a) + ".\n"
	case a.Territories != nil:
		return "We ask from " + strings.TrimPrefix(exports.AudienceWords(&a), "anybody in ") + ".\n"
	}
	return ""
}
