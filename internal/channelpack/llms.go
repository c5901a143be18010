package channelpack

import (
	"bytes"
	"strings"

	"colophon/exports"
	"colophon/internal/channel/statements"
)

// writeLLMs writes a section for llms.txt, which has no vocabulary for rights:
// one line per use, in plain English, for each part of the site. Because it
// says everything that the policy does, nothing is lost.
func (w *packer) writeLLMs() {
	var b bytes.Buffer
	b.WriteString("## Use by AI systems\n\nThis is a statement of preferences. It grants no rights. [Ask for a licence](" + w.p.RequestURL + ")\n")
	for _, r := range w.regions {
		b.WriteString("\n### Pages below " + r.prefix + "\n\n")
		for i, u := range exports.Uses {
			b.WriteString("- " + string(u) + ": " + r.llmsWord(i) + "\n")
		}
	}
	w.addFile(FileLLMs, "text/markdown", b.Bytes())
}

// llmsWord says what holds for a use in a region.
func (r *region) llmsWord(use int) string {
	switch r.want[use] {
	case statements.Allow:
		if len(r.conditions[use]) > 0 {
			return "allowed on conditions: " + strings.Join(r.conditions[use], ", ")
		}
		return "allowed"
	case statements.Priced:
		return "licence needed"
	case statements.Disallow:
		if r.askable[use] {
			return "reserved, ask first"
		}
		return "reserved"
	}
	return "not stated"
}
