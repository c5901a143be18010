package channelpack

import (
	"colophon/exports"
	"colophon/internal/channel"
	"colophon/internal/channel/statements"
	"colophon/internal/wire"
)

// File is one file of a channel pack. Path is where it belongs: a path on the
// publisher's site, or the name of a fragment to paste.
type File struct {
	Path      string
	MediaType string
	Body      []byte
}

// Names of the files of a pack.
const (
	FileRSL         = "license.xml"
	FileRobots      = "robots-fragment.txt"
	FileHeaders     = "headers.json"
	FileHeadersPlan = "_headers"
	FileNginx       = "nginx.conf"
	FileTDMRep      = ".well-known/tdmrep.json"
	FileODRL        = "policies/tdm.jsonld"
	FileAITxt       = "ai.txt"
	FileTrustTxt    = "trust-fragment.txt"
	FileHTML        = "head-fragment.html"
	FileLLMs        = "llms-fragment.txt"
	FileRSS         = "item-fragment.xml"
	FileCAWG        = "cawg-training-mining.json"
	FilePLUS        = "plus-data-mining.txt"
	FileCoMP        = "comp-package.json"
	FileAccess      = ".well-known/service-access-response.json"
	FileLoss        = "loss-report.json"
)

// Pack is every channel of one publisher, and what they could not say.
type Pack struct {
	Files []File
	Loss  []Loss
	Asks  []Inquiry // what the files disallow, and may be asked for
}

// Get returns the body of a file, nil if the policy has nothing for it.
func (k *Pack) Get(path string) []byte {
	for _, f := range k.Files {
		if f.Path == path {
			return f.Body
		}
	}
	return nil
}

// Pack writes the policy into every channel. The same policy gives the same
// bytes. It returns ErrPolicy for a policy that some channel could not express
// safely.
func (p *Policy) Pack() (Pack, error) {
	if err := p.validate(); err != nil {
		return Pack{}, err
	}
	w := packer{p: p, regions: p.splitRegions()}
	w.all = commonRegion(w.regions)
	w.writeRSL()
	w.writeTDMRep() // before the headers, which repeat its policy
	w.writeRobots()
	w.writeHeaders()
	w.aiTxt()
	w.trustTxt()
	w.writePage()
	w.writeLLMs()
	w.feedItem()
	w.writeCAWG()
	w.writePLUS()
	w.writeCoMP()
	w.writeAccess()
	w.pack.Asks = listInquiries(w.regions)
	w.writeReport()
	return w.pack, nil
}

type packer struct {
	p        *Policy
	regions  []*region
	all      *region
	consents []bool // by region: the reservation has a policy
	licensed bool   // there is a license.xml to point to
	pack     Pack
}

func (w *packer) addFile(path, mediaType string, body []byte) {
	w.pack.Files = append(w.pack.Files, File{path, mediaType, body})
}

func (w *packer) addJSON(path, mediaType string, v wire.Value) {
	w.addFile(path, mediaType, append(v.Append(nil), '\n'))
}

// noteLosses records what a file could not express in one region.
func (w *packer) noteLosses(file string, name statements.Name, words []string, r *region, said [8]statements.Effect) {
	w.pack.Loss = append(w.pack.Loss, compareLosses(file, name, words, r, [8]bool{}, said)...)
}

// lostEverywhere does the same for a file that says the same on every path.
func (w *packer) lostEverywhere(file string, name statements.Name, words []string, said [8]statements.Effect) {
	for _, r := range w.regions {
		w.pack.Loss = append(w.pack.Loss, compareLosses(file, name, words, r, w.all.uneven, said)...)
	}
}

func (w *packer) licenseURL() string { return siteFile(w.p.SiteURL, FileRSL) }
func (w *packer) policyURL() string  { return siteFile(w.p.SiteURL, FileODRL) }

func siteFile(site, path string) string {
	abs, ok := channel.ResolveAbsolute(site, "/"+path)
	if !ok {
		return ""
	}
	return abs
}

func (w *packer) writeReport() {
	items := wire.Array()
	for _, l := range w.pack.Loss {
		items.Items = append(items.Items, wire.Object(
			wire.M("channel", wire.String(string(l.Channel))), wire.M("file", wire.String(l.File)), wire.M("path", wire.String(l.Path)),
			wire.M("said", wire.String(l.Said.String())), wire.M("use", wire.String(string(l.Use))),
			wire.M("wanted", wire.String(l.Wanted.String())), wire.M("why", wire.String(l.Why)),
		))
	}
	asks := wire.Array()
	for _, a := range w.pack.Asks {
		asks.Items = append(asks.Items, wire.Object(wire.M("path", wire.String(a.Path)), wire.M("use", wire.String(string(a.Use)))))
	}
	w.addJSON(FileLoss, "application/json", wire.Object(
		wire.M("grants_rights", wire.Bool(false)), wire.M("inquiries_welcome", asks), wire.M("losses", items),
		wire.M("site_id", wire.String(w.p.SiteID)), wire.M("uses", wire.Strings(exports.UseWords()...)),
		wire.M("version", wire.String("service.channel-loss.v1")),
	))
}
