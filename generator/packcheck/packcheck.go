// Package packcheck rereads a channel pack before it is published, in the
// freest way that each standard allows, and compares the result with the
// policy. It shares no code with the writers in package channel nor with the
// parsers of the product, so that a mistake goes unnoticed only if it was made
// twice.
package packcheck

import (
	"fmt"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/channelpack"
)

// level says how freely a text permits a use.
type level int

// The levels in ascending order. asking means that a licence must be acquired
// first, told that conditions apply which can be sent with an answer, and
// credit that attribution is the only condition.
const (
	none level = iota
	asking
	told
	credit
	free
)

func (l level) String() string {
	return [...]string{"no permission", "a licence to ask for", "free on conditions", "free for attribution", "free"}[l]
}

// levels holds the level of each use, in the order of exports.Uses.
type levels [8]level

// raiseUses raises some uses to a level. The level asking applies only to the
// first of the uses that a word may cover, the one that it names: until a
// request is answered, nobody may do anything.
func (l *levels) raiseUses(to level, uses ...int) {
	if to == asking && len(uses) < len(l) {
		uses = uses[:min(len(uses), 1)]
	}
	for _, u := range uses {
		l[u] = max(l[u], to)
	}
}

// The indexes of the uses in exports.Uses.
const (
	rag = iota
	training
	fineTuning
	search
	summarization
	datasets
	syndication
	research
)

var everyUse = []int{rag, training, fineTuning, search, summarization, datasets, syndication, research}

// Finding is a use at a path that a file of a pack permits more freely than the
// policy does.
type Finding struct {
	File   string
	Path   string
	Use    exports.Use
	Reads  string
	Policy string
}

// String returns the finding in one line.
func (f Finding) String() string {
	return fmt.Sprintf("%s reads %s at %s as %q; the policy gives %q", f.File, f.Use, f.Path, f.Reads, f.Policy)
}

// reader returns the freest reading of a file for a path. It returns an error
// if the file violates its own standard.
type reader func(body []byte, path string) (levels, error)

var readers = map[string]reader{
	channelpack.FileRSL:         readRSL,
	channelpack.FileRSS:         readFeedItem,
	channelpack.FileRobots:      readRobots,
	channelpack.FileHeaders:     readHeaderList,
	channelpack.FileHeadersPlan: readHeaderBlock,
	channelpack.FileNginx:       readNginx,
	channelpack.FileTDMRep:      readTDMRep,
	channelpack.FileODRL:        readODRL,
	channelpack.FileAITxt:       readAITxt,
	channelpack.FileTrustTxt:    readTrustTxt,
	channelpack.FileHTML:        readHead,
	channelpack.FileLLMs:        readLLMs,
	channelpack.FileCAWG:        readCAWG,
	channelpack.FilePLUS:        readPLUS,
	channelpack.FileCoMP:        readCoMP,
	channelpack.FileAccess:      readAccess,
}

// Check compares a pack with its policy at every path where the policy changes.
// No findings mean that no file permits more than the policy. A file without a
// reader, and one that cannot be read, are findings too.
func Check(p *channelpack.Policy, pack *channelpack.Pack) []Finding {
	var out []Finding
	for _, f := range pack.Files {
		if f.Path == channelpack.FileLoss {
			continue
		}
		read, known := readers[f.Path]
		if !known {
			out = append(out, Finding{File: f.Path, Reads: "unknown file", Policy: "none"})
			continue
		}
		for _, path := range samplePaths(p) {
			got, err := read(f.Body, path)
			if err != nil {
				out = append(out, Finding{File: f.Path, Path: path, Reads: err.Error(), Policy: "a file that can be read"})
				break
			}
			out = append(out, compareLevels(p, f.Path, path, got)...)
		}
	}
	return out
}

func compareLevels(p *channelpack.Policy, file, path string, got levels) []Finding {
	var out []Finding
	for i, u := range exports.Uses {
		if want := wantedLevel(p, path, u); got[i] > want {
			out = append(out, Finding{file, path, u, got[i].String(), want.String()})
		}
	}
	return out
}

// samplePaths returns paths inside and outside every scope of an offer.
func samplePaths(p *channelpack.Policy) []string {
	out := []string{"/", "/zz"}
	for i := range p.Offers {
		s := &p.Offers[i].Scope
		for _, pattern := range append(slices.Clone(s.Paths), s.Excludes...) {
			prefix := strings.TrimSuffix(pattern, "*")
			out = append(out, prefix, prefix+"zz?q=1", strings.TrimSuffix(prefix, "/"))
		}
	}
	for _, c := range p.Closed {
		out = append(out, c.Prefix, c.Prefix+"zz?q=1")
	}
	slices.Sort(out)
	return slices.DeleteFunc(slices.Compact(out), func(s string) bool { return !strings.HasPrefix(s, "/") })
}

// wantedLevel returns the level that the policy itself gives to a use at a
// path.
func wantedLevel(p *channelpack.Policy, path string, use exports.Use) level {
	stated := exports.Preference{}
	for _, q := range p.Preferences {
		if q.Use == string(use) {
			stated = q
		}
	}
	askable := stated.Inquiry == "welcome" || stated.Inquiry == "conditional"
	switch {
	case isClosed(p, path, use):
		if askable {
			return asking
		}
		return none
	case stated.Inquiry != "not_offered" && isSold(p, path, use):
		return asking
	case stated.Declared == "allow":
		if stated.Retention != "" {
			return asking // no channel can say how long a copy may be kept
		}
		return onConditions(use, stated.Conditions)
	case stated.Inquiry == "not_offered", stated.Declared == "disallow" && !askable:
		return none
	}
	return asking // everybody gets an answer to a request
}

// isClosed reports whether the policy withdraws a use at a path.
func isClosed(p *channelpack.Policy, path string, use exports.Use) bool {
	return slices.ContainsFunc(p.Closed, func(c channelpack.ClosedPath) bool { return c.Use == use && strings.HasPrefix(path, c.Prefix) })
}

func isSold(p *channelpack.Policy, path string, use exports.Use) bool {
	for i := range p.Offers {
		o := &p.Offers[i]
		if o.Status != "offered" || !slices.Contains(o.Permits, string(use)) || slices.Contains(o.Prohibits, string(use)) {
			continue
		}
		begins := func(pattern string) bool {
			return exports.MatchPattern(strings.TrimSuffix(pattern, "*"), path)
		}
		if slices.ContainsFunc(o.Scope.Excludes, begins) {
			continue
		}
		if len(o.Scope.Paths) == 0 || slices.ContainsFunc(o.Scope.Paths, begins) {
			return true
		}
	}
	return false
}

// onConditions returns the level at which a use with these conditions may be
// written. For indexing, some conditions hold anyway: an index shows only links
// and excerpts, and a link is the attribution.
func onConditions(use exports.Use, conditions []string) level {
	out := free
	for _, c := range conditions {
		switch {
		case use == exports.UseSearchIndexing && (c == "link_back" || c == "no_full_text"):
		case c == "attribution", c == "link_back":
			out = min(out, credit)
		case c == "no_full_text":
			out = min(out, told)
		default:
			out = asking
		}
	}
	return out
}
