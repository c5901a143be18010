package usereport

import (
	"strconv"
	"strings"
	"time"

	"colophon/exports"
	"colophon/internal/credential"
	"colophon/internal/urlkey"
	"colophon/internal/wire"
)

// Bounds of one report.
const (
	MaxBody   = 256 << 10
	MaxEvents = 500
	maxAgent  = 120
	// KeepDays is how long events are kept after they were reported, and the
	// greatest age of an event that is taken.
	KeepDays = 180
)

// eventTypes are the events about content, as Content Telemetry 1.0 names them.
// content_displayed was the name of content_presented in its preview of June
// 2026.
var eventTypes = map[string]string{
	"content_retrieved": "retrieved", "content_grounded": "grounded", "content_reproduced": "reproduced", "content_cited": "cited",
	"content_presented": "presented", "content_displayed": "presented", "content_engaged": "engaged",
}

// event is one event about content.
type event struct {
	key  string // digest by which it is recognized
	kind string // one of exports.UseEvents
	at   string
	// names are what the page may be registered under, the nearest first: its
	// entry, its address, and the other addresses of the same page.
	names []string
}

// document is what a report says.
type document struct {
	agent   string
	events  []event
	ignored int64 // events about a conversation, and extensions
}

// parse reads a session, an event or a batch of events. Unknown members and
// unknown types of event are left aside. The error is a *wire.Invalid.
func parse(v *wire.Value, now time.Time) (*document, error) {
	p := &parser{oldest: exports.Instant(now.AddDate(0, 0, -KeepDays)), newest: exports.Instant(now.Add(5 * time.Minute))}
	events, at := p.listEvents(v)
	d := &document{agent: p.agent(v)}
	session, _ := v.Get("session_id").Str()
	for i := range events {
		pointer := at
		if at == "/events" {
			pointer += "/" + strconv.Itoa(i)
		}
		p.addEvent(d, &events[i], session, pointer)
	}
	if len(p.invalid.Fields) > 0 {
		return nil, &p.invalid
	}
	return d, nil
}

type parser struct {
	oldest, newest string
	invalid        wire.Invalid
}

// refuse notes a fault; more than a few help nobody.
func (p *parser) refuse(pointer, code, detail string, allowed ...string) {
	if len(p.invalid.Fields) < 32 {
		p.invalid.Fields = append(p.invalid.Fields, wire.FieldError{Pointer: pointer, Code: code, Detail: detail, Allowed: allowed})
	}
}

// listEvents returns the events of a document, and where they stand in it.
func (p *parser) listEvents(v *wire.Value) ([]wire.Value, string) {
	version, _ := v.Get("schema_version").Str()
	if version != "0.1" && version != "1" && !strings.HasPrefix(version, "1.") {
		p.refuse("/schema_version", "not_in_list", "Use a version 1 of Content Telemetry, or its preview 0.1.", "1.0", "0.1")
	}
	kind, _ := v.Get("document_type").Str()
	switch {
	case kind == "event":
		if e := v.Get("event"); e != nil {
			return []wire.Value{*e}, "/event"
		}
		p.refuse("/event", "required", "A document of type event has one.")
		return nil, ""
	case kind != "" && kind != "session" && kind != "event_batch":
		p.refuse("/document_type", "not_in_list", "", "session", "event", "event_batch")
		return nil, ""
	case kind == "" && v.Get("events") == nil && (v.Get("event") != nil || v.Get("session_id") == nil):
		p.refuse("/document_type", "required", "Only a session may leave it out.", "session", "event", "event_batch")
		return nil, ""
	}
	list := v.Get("events")
	switch {
	case list == nil && kind != "event_batch": // a session may be empty
	case list == nil || list.Kind != wire.KindArray || len(list.Items) == 0 && kind == "event_batch":
		p.refuse("/events", "required", "Give a list of events.")
	case len(list.Items) > MaxEvents:
		p.refuse("/events", "out_of_range", "Give at most "+strconv.Itoa(MaxEvents)+" events at a time.")
	default:
		return list.Items, "/events"
	}
	return nil, ""
}

// agent returns the agent that a document names. It must look like an
// identifier, so that nobody's address gets in.
func (p *parser) agent(v *wire.Value) string {
	text, _ := v.Get("agent_id").Str()
	for i := range len(text) {
		if c := text[i]; c <= ' ' || c > '~' || strings.IndexByte("@<>\"'\\", c) >= 0 {
			p.refuse("/agent_id", "pattern", "Use letters, digits and signs of ASCII, without spaces, quotes and @.")
			return ""
		}
	}
	if len(text) > maxAgent {
		p.refuse("/agent_id", "too_long", "Use at most "+strconv.Itoa(maxAgent)+" characters.")
		return ""
	}
	return text
}

// addEvent adds one event to a document, or notes what is wrong with it.
func (p *parser) addEvent(d *document, v *wire.Value, session, pointer string) {
	name, ok := v.Get("type").Str()
	if !ok || name == "" {
		p.refuse(pointer+"/type", "required", "Each event has a type.")
		return
	}
	kind := eventTypes[name]
	if kind == "" {
		d.ignored++
		return
	}
	e := event{kind: kind}
	stamp, _ := v.Get("timestamp").Str()
	if e.at, ok = wire.ToUTC(stamp); !ok {
		p.refuse(pointer+"/timestamp", "instant_invalid", "Each event has an RFC 3339 instant.")
		return
	}
	if e.at < p.oldest || e.at > p.newest {
		p.refuse(pointer+"/timestamp", "out_of_range", "Not in the future, and at most "+strconv.Itoa(KeepDays)+" days ago.")
		return
	}
	address, _ := v.Get("content_url").Str()
	id, _ := v.Get("content_id").Str()
	if address == "" && id == "" {
		p.refuse(pointer+"/content_url", "required", "An event about content has a content_url or a content_id.")
		return
	}
	if exports.ValidEntryID(id) {
		e.names = append(e.names, id)
	}
	if canonical, err := urlkey.Address(address); err == nil {
		e.names = append(append(e.names, canonical), urlkey.SamePage(canonical)...)
	}
	if given, _ := v.Get("id").Str(); given != "" {
		e.key = credential.Digest("id", strings.ToLower(given))
	} else {
		e.key = credential.Digest("event", session, string(v.Append(nil)))
	}
	d.events = append(d.events, e)
}
