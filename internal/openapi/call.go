package openapi

import (
	"strconv"
	"strings"

	"colophon/exports"
	"colophon/internal/wire"
)

// Call is a recorded call as the reference shows it.
type Call struct {
	Sent   string // body of the request on one line, "" if none
	Media  string // of that body
	Status string
	Answer string // indented, lists by their first item, long answers cut
	Cut    bool   // not all of the answer is shown
}

// maxLines is how many lines of an answer the reference shows.
const maxLines = 36

// CallOf returns the recorded call of an endpoint, in the first form that it
// has; ok is false when there is none.
func CallOf(e *exports.Endpoint) (c Call, ok bool) {
	for _, a := range answersOf(e) {
		for _, form := range []string{"application/json", "application/x-ndjson", "application/xml", "text/csv", "text/plain"} {
			given, ok := examples()[ExampleKey(e.ID, a.status, form)]
			if !ok {
				continue
			}
			c = Call{Media: given.Sent, Status: a.status}
			if given.Sent != "" {
				c.Sent = string(given.Request.Append(nil))
			}
			c.Answer, c.Cut = showAnswer(given.Answer)
			return c, true
		}
	}
	return c, false
}

// showAnswer indents an answer and cuts it.
func showAnswer(v wire.Value) (text string, cut bool) {
	if v.Kind == wire.KindString {
		return cutLines(v.Text)
	}
	short, fewer := firstItems(v)
	var b strings.Builder
	appendIndented(&b, &short, "")
	text, cut = cutLines(b.String())
	return text, cut || fewer
}

// firstItems returns a value with the first item of each list of objects.
func firstItems(v wire.Value) (out wire.Value, cut bool) {
	out = v
	if len(v.Items) > 1 && v.Items[0].Kind == wire.KindObject {
		out.Items, cut = v.Items[:1], true
	}
	items := make([]wire.Value, len(out.Items))
	for i := range out.Items {
		var fewer bool
		items[i], fewer = firstItems(out.Items[i])
		cut = cut || fewer
	}
	members := make([]wire.Member, len(out.Members))
	for i := range out.Members {
		var fewer bool
		members[i].Name = out.Members[i].Name
		members[i].Value, fewer = firstItems(out.Members[i].Value)
		cut = cut || fewer
	}
	out.Items, out.Members = items, members
	return out, cut
}

// wideLine is up to how many characters a list or an object stays on its line.
const wideLine = 76

// appendIndented writes a value over several lines; what is short stays on one.
func appendIndented(b *strings.Builder, v *wire.Value, indent string) {
	flat := string(v.Append(nil))
	if len(v.Items)+len(v.Members) == 0 || len(flat)+len(indent) <= wideLine {
		b.WriteString(flat)
		return
	}
	inner := indent + "  "
	open, end := "{", "}"
	if v.Kind == wire.KindArray {
		open, end = "[", "]"
	}
	b.WriteString(open)
	for i := range v.Items {
		separate(b, i, inner)
		appendIndented(b, &v.Items[i], inner)
	}
	for i := range v.Members {
		separate(b, i, inner)
		name := wire.String(v.Members[i].Name)
		b.Write(name.Append(nil))
		b.WriteString(": ")
		appendIndented(b, &v.Members[i].Value, inner)
	}
	b.WriteString("\n" + indent + end)
}

func separate(b *strings.Builder, i int, indent string) {
	if i > 0 {
		b.WriteByte(',')
	}
	b.WriteString("\n" + indent)
}

// cutLines keeps the first lines of a text, each of them bounded.
func cutLines(text string) (out string, cut bool) {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	more := len(lines) - maxLines
	if more > 0 {
		lines, cut = append(lines[:maxLines:maxLines], "… "+strconv.Itoa(more)+" more lines"), true
	}
	for i, line := range lines {
		if r := []rune(line); len(r) > 300 {
			lines[i], cut = string(r[:300])+"…", true
		}
	}
	return strings.Join(lines, "\n"), cut
}

// Curl returns a call of an endpoint in a shell: address is an absolute one of
// a service, or has {names} to fill in.
func Curl(e *exports.Endpoint, address string, c *Call) string {
	var b strings.Builder
	b.WriteString("curl -sS")
	switch e.Auth {
	case exports.ByPartner:
		b.WriteString(` -H "Authorization: Bearer $KEY"`)
	case exports.ByBuyer:
		b.WriteString(` -H "Authorization: Bearer $CREDENTIAL"`)
	case exports.ByConversation:
		b.WriteString(` -H "X-Conversation-Token: $TOKEN"`)
	}
	if e.ID == "partner_create_request" {
		b.WriteString(` -H "Idempotency-Key: $(uuidgen)"`)
	}
	if c.Sent != "" {
		b.WriteString(" -H 'Content-Type: " + c.Media + "' \\\n  -d '" + strings.ReplaceAll(oneLine(c.Sent), "'", `'\''`) + "' \\\n  ")
	} else {
		b.WriteByte(' ')
		if e.Method == "POST" {
			b.WriteString("-X POST ")
		}
	}
	return b.String() + "'" + address + "'"
}

// oneLine returns a body as the shell gets it; what is very long is shortened,
// and then no JSON.
func oneLine(body string) string {
	if r := []rune(body); len(r) > 1200 {
		return string(r[:1200]) + "…"
	}
	return body
}
