package shell

import (
	"bytes"
	"strings"

	"colophon/exports"
	"colophon/internal/wire"
	"colophon/worker/page"
)

// FillForm writes values into a published form, and messages about errors
// before its fields. The rest of the page is unchanged, so that the form sent
// back is the one that was published.
func FillForm(doc []byte, values [][2]string, wrong []wire.FieldError) []byte {
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

// fillField sets the value of a field: an input, a text area or a select.
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
		return append(append(doc[:end:end], SelectOption(doc[end:end+size], text)...), doc[end+size:]...)
	}
	return insert(doc, end-1, append(append([]byte(` value="`), escaped...), '"'))
}

// markField writes beside a field what is wrong with it.
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

// tagOf returns where the tag with an attribute begins and ends, or -1 if there
// is none.
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

// SelectOption marks the option of a select that has this value.
func SelectOption(body []byte, value string) []byte {
	if value == "" {
		return body
	}
	option := string(exports.AppendHTML([]byte(`<option value="`), value)) + `"`
	return bytes.Replace(body, []byte(option+">"), []byte(option+" selected>"), 1)
}
