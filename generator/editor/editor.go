// Package editor does the work behind the page on which publishers write their
// file: it shows what a file becomes in every channel, what is lost on the way,
// and what pasted documents say. It is compiled to Wasm for that page
// (cmd/editor). It therefore uses the generator's code, but neither the network
// nor a store.
package editor

import (
	"errors"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/generator/packcheck"
	"colophon/internal/channel/publisherfile"
	"colophon/internal/channel/statements"
	"colophon/internal/channelpack"
	"colophon/internal/filepolicy"
	"colophon/internal/observed"
	"colophon/internal/origin"
	"colophon/internal/urlkey"
	"colophon/internal/wire"
)

// Site is the site that a file is made for.
type Site struct {
	Home string // "https://site.example/"
	Base string // address of the registry, without a path
	At   string // instant at which the site is judged, RFC 3339
}

// siteID returns a stand-in for the id that the registry will assign to the
// site.
func (s Site) siteID() string {
	id := strings.ReplaceAll(strings.TrimPrefix(urlkey.HostOf(s.Home), "www."), ".", "-")
	if !exports.ValidSiteID(id) {
		return "your-site"
	}
	return id
}

// ErrHome is returned if the address of the site cannot be used.
var ErrHome = errors.New("the address of the site must be like https://site.example/")

// Policy returns the policy that a file becomes. The error is
// publisherfile.Errors or ErrHome.
func (s Site) Policy(file []byte) (channelpack.Policy, *publisherfile.Reading, error) {
	home, err := urlkey.Address(s.Home)
	if err != nil || !strings.HasPrefix(home, "https://") || !strings.HasSuffix(home, "/") {
		return channelpack.Policy{}, nil, ErrHome
	}
	read, err := publisherfile.Read(file)
	if err != nil {
		return channelpack.Policy{}, nil, err
	}
	asks := s.Base + exports.RequestPage(s.siteID())
	if read.Inquiries != nil && read.Inquiries.Closed {
		asks = s.Base + exports.PublisherPage(s.siteID())
	}
	return filepolicy.PolicyOf(s.siteID(), home, s.Base, asks, s.At, file, &read.File), read, nil
}

// Preview returns every channel that a file becomes, with what the channels
// cannot say:
//
//	{"errors": [{"line", "column", "pointer", "code", "detail"}], "files": [{"path", "media_type", "text"}],
//	 "losses": [{"file", "channel", "path", "use", "wanted", "said", "why"}], "unknown": [as errors]}
//
// There are no files if the file has errors. It is also an error if a pack
// would permit more than the file.
func (s Site) Preview(file []byte) wire.Value {
	p, read, err := s.Policy(file)
	if err != nil {
		return wire.Object(wire.M("errors", errorList(err)))
	}
	pack, err := p.Pack()
	if err == nil {
		if found := packcheck.Check(&p, &pack); len(found) > 0 {
			err = errors.New(found[0].String())
		}
	}
	if err != nil {
		return wire.Object(wire.M("errors", errorList(err)))
	}
	files := wire.Array()
	for _, f := range pack.Files {
		if f.Path != channelpack.FileLoss {
			files.Items = append(files.Items, wire.Object(wire.M("media_type", wire.String(f.MediaType)), wire.M("path", wire.String(f.Path)), wire.M("text", wire.String(string(f.Body)))))
		}
	}
	losses := wire.Array()
	for _, l := range append(pack.Loss, openedBelow(&read.File)...) {
		losses.Items = append(losses.Items, wire.Object(
			wire.M("channel", wire.String(string(l.Channel))), wire.M("file", wire.String(l.File)), wire.M("path", wire.String(l.Path)),
			wire.M("said", wire.String(l.Said.String())), wire.M("use", wire.String(string(l.Use))),
			wire.M("wanted", wire.String(l.Wanted.String())), wire.M("why", wire.String(l.Why)),
		))
	}
	return wire.Object(wire.M("files", files), wire.M("losses", losses), wire.M("unknown", problemList(read.Unknown)))
}

// WhyOpenedBelow is the reason of a loss that all channels share: below a path,
// they say what a file reserves, but not what it allows.
const WhyOpenedBelow = "allowed_below_path_only_in_file"

// openedBelow returns a file's permissions that hold only below a path.
func openedBelow(f *publisherfile.File) []channelpack.Loss {
	var out []channelpack.Loss
	for i := range f.Preferences {
		p := &f.Preferences[i]
		if p.WholeSite() || p.Declared != "allow" {
			continue
		}
		for _, path := range p.Paths {
			out = append(out, channelpack.Loss{File: "*", Path: path, Use: exports.Use(p.Use), Wanted: statements.Allow, Said: statements.Unknown, Why: WhyOpenedBelow})
		}
	}
	return out
}

func errorList(err error) wire.Value {
	var list publisherfile.Errors
	if errors.As(err, &list) {
		return problemList(list)
	}
	return problemList([]publisherfile.Problem{{Line: 1, Column: 1, Code: "not_possible", Detail: err.Error()}})
}

func problemList(list []publisherfile.Problem) wire.Value {
	out := wire.Array()
	for _, p := range list {
		out.Items = append(out.Items, wire.Object(
			wire.M("code", wire.String(p.Code)), wire.M("column", wire.Int(int64(p.Column))), wire.M("detail", wire.String(p.Detail)),
			wire.M("line", wire.Int(int64(p.Line))), wire.M("pointer", wire.String(p.Pointer)),
		))
	}
	return out
}

// Lint returns what a pasted document says, as if it stood on the site:
//
//	{"channel", "problems": [{"code", "where", "detail"}], "says": [{"channel", "use", "effect", "statement"}],
//	 "vector", "assumed": [text], "unknown": false}
//
// name is the file name, "" if there is none. unknown is true for a document
// that belongs to no channel.
func (s Site) Lint(name string, body []byte) wire.Value {
	url := strings.TrimSuffix(s.Home, "/") + "/" + strings.TrimPrefix(name, "/")
	o, known := observed.File(name, url, s.At, body)
	if !known {
		return wire.Object(wire.M("unknown", wire.Bool(true)))
	}
	about := s.Home
	if slices.Contains(aboutThemselves, o.Channel) {
		o.URL, about = s.Home, s.Home
	}
	r, err := observed.Lint([]origin.Observation{o}, nil, about, s.At)
	if err != nil {
		return wire.Object(wire.M("unknown", wire.Bool(true)))
	}
	problems, stated := wire.Array(), wire.Array()
	for i := range r.Documents {
		for _, w := range r.Documents[i].Warnings {
			problems.Items = append(problems.Items, wire.Object(wire.M("code", wire.String(w.Code)), wire.M("detail", wire.String(w.Detail)), wire.M("where", wire.String(w.Locator))))
		}
		if d := &r.Documents[i]; len(d.Warnings) == 0 && (d.State == "invalid" || d.Reading == string(statements.Failed)) {
			problems.Items = append(problems.Items, wire.Object(wire.M("code", wire.String("cannot_be_read")), wire.M("detail", wire.String("")), wire.M("where", wire.String(""))))
		}
	}
	for _, l := range r.Stated {
		stated.Items = append(stated.Items, wire.Object(
			wire.M("agent", wire.String(l.Agent)), wire.M("channel", wire.String(l.Channel)), wire.M("effect", wire.String(l.Effect)),
			wire.M("statement", wire.String(l.Statement)), wire.M("use", wire.String(l.Use)),
		))
	}
	return wire.Object(
		wire.M("assumed", wire.Strings(r.Assumed...)), wire.M("channel", wire.String(o.Channel)), wire.M("problems", problems),
		wire.M("says", stated), wire.M("unknown", wire.Bool(false)), wire.M("vector", wire.String(r.Vector)),
	)
}

// aboutThemselves are the channels whose documents are about the address at
// which they are served.
var aboutThemselves = []string{"html_meta", "aipref_header", "cawg"}
