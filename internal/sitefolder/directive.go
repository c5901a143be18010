package sitefolder

import (
	"regexp"
	"strings"
)

// Directives are replaced by generators before rendering: shortcodes of Hugo,
// tags of Liquid in Jekyll. The first part of the pattern matches inline code,
// which is not a directive.
var (
	shortcodes = regexp.MustCompile("`[^`\n]+`" + `|\{\{[<%][^{]*?[%>]\}\}`)
	liquid     = regexp.MustCompile("`[^`\n]+`" + `|\{%[^{]*?%\}|\{\{.*?\}\}`)
)

// quotedShortcode is a shortcode that Hugo shows instead of running it.
var quotedShortcode = regexp.MustCompile(`\{\{([<%])/\*([^{]*?)\*/([%>])\}\}`)

// attributes are what the dialects of Markdown add to an element and readers
// never see: lists of kramdown ({: .note}, {:toc}, {::comment}), of MkDocs ({:
// #id .note}), and the name of a heading ({#id}).
var (
	attributes  = regexp.MustCompile("`[^`\n]+`" + `|\{::?/?[^{}\n]*\}|\{:?/\}`)
	headingName = regexp.MustCompile(`^(#{1,6}\s.*?)\s*\{[#.][^{}]*\}\s*$`)
	tocItem     = regexp.MustCompile(`(?m)^[ \t]*(?:[-*+]|1\.)[ \t].*\n[ \t]*\{:toc\}[ \t]*$`)
)

// components are the elements of MDX that a program renders, and its comments.
var components = regexp.MustCompile("`[^`\n]+`" + `|</?[A-Z][\w.]*(?:\s[^<>]*)?/?>|</?>|\{/\*[^{}]*\*/\}`)

// directiveLine matches a line that is not text: fences of containers, imports
// of MDX, ends of excerpts, included snippets.
var directiveLine = regexp.MustCompile(`^(:::.*|import .+ from ['"].+['"];?|export (const|default) .*|<!--\s*(more|truncate)\s*-->|-+8<-+.*)$`)

// alert is the first line of a quote that is a note, as GitHub, Hugo and Obsidian
// read it; its title is all that is shown of it.
var alert = regexp.MustCompile(`^(\s*>\s*)\[!\w+\][+-]?\s*(.*)$`)

// admonition begins a note, a fold or a tab of MkDocs, whose text is indented
// below it. Only its title is shown.
var admonition = regexp.MustCompile(`^(\s*)(?:(?:!!!|\?\?\?\+?)(?:\s+[\w-]+)+(?:\s+"(.*)")?|===[!+]?\s+"(.*)")\s*$`)

// filledBlock begins a block that a plugin of MkDocs fills in; its settings are
// indented below it.
var filledBlock = regexp.MustCompile(`^(\s*):::\s+\S`)

// withoutDirectives removes from Markdown what is not text of the page,
// depending on the generator. Blocks of code stay as they are.
func withoutDirectives(text, generator string) string {
	if generator == "mkdocs" {
		text = strings.Join(openAdmonitions(strings.Split(text, "\n")), "\n")
	}
	var out, prose []string
	flush := func() {
		out = append(out, proseText(prose, generator)...)
		prose = nil
	}
	fence := ""
	for _, line := range strings.Split(text, "\n") {
		mark := fenceOf(strings.TrimSpace(line))
		switch {
		case fence != "":
			out = append(out, line)
			if endsFence(line, fence) {
				fence = ""
			}
		case mark != "":
			flush()
			fence = mark
			out = append(out, line)
		default:
			prose = append(prose, line)
		}
	}
	flush()
	text = strings.Join(out, "\n")
	if generator == "hugo" {
		text = quotedShortcode.ReplaceAllString(text, "{{$1$2$3}}")
	}
	return text
}

// proseText removes the directives from lines between blocks of code.
func proseText(lines []string, generator string) []string {
	if len(lines) == 0 {
		return nil
	}
	text := strings.Join(lines, "\n")
	switch generator {
	case "hugo":
		text = cutMatches(text, shortcodes, false)
	case "jekyll":
		text = cutMatches(tocItem.ReplaceAllString(cutMatches(text, liquid, false), ""), attributes, true)
	case "mkdocs":
		text = cutMatches(text, attributes, true)
	case "docusaurus":
		text = cutMatches(text, components, true)
	case "folder":
		text = cutMatches(cutMatches(text, shortcodes, true), liquid, true)
	}
	var kept []string
	for _, line := range strings.Split(text, "\n") {
		if directiveLine.MatchString(strings.TrimSpace(line)) {
			continue
		}
		if m := alert.FindStringSubmatch(line); m != nil {
			line = m[1] + m[2]
		}
		kept = append(kept, headingName.ReplaceAllString(line, "$1"))
	}
	return kept
}

// cutMatches removes what a pattern of directives matches, except quoted
// shortcodes, and inline code unless the generator also runs directives in
// code.
func cutMatches(text string, pattern *regexp.Regexp, keepsCode bool) string {
	return pattern.ReplaceAllStringFunc(text, func(found string) string {
		isCode := strings.HasPrefix(found, "`")
		switch {
		case isCode && keepsCode || quotedShortcode.MatchString(found):
			return found
		case isCode:
			return "`" + cutMatches(found[1:len(found)-1], pattern, false) + "`"
		}
		return ""
	})
}

// admonitionIndent is by how much the text of an admonition is indented.
const admonitionIndent = "    "

// openAdmonitions puts the text of admonitions where it would stand without them,
// below their titles, and drops what plugins fill in.
func openAdmonitions(lines []string) []string {
	var out []string
	fence := ""
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		note, filled := admonition.FindStringSubmatch(line), filledBlock.FindStringSubmatch(line)
		switch {
		case fence != "":
			out = append(out, line)
			if endsFence(line, fence) {
				fence = ""
			}
		case note != nil:
			inner := indentedLines(lines[i+1:], note[1])
			i += len(inner)
			out = append(out, note[1]+note[2]+note[3], "")
			out = append(out, openAdmonitions(inner)...)
		case filled != nil:
			i += len(indentedLines(lines[i+1:], filled[1]))
		default:
			fence = fenceOf(strings.TrimSpace(line))
			out = append(out, line)
		}
	}
	return out
}

// indentedLines returns the first lines that are indented below a line with an
// indent of its own, or empty; without that indentation.
func indentedLines(lines []string, own string) (inner []string) {
	for _, line := range lines {
		if !strings.HasPrefix(line, own+admonitionIndent) && strings.TrimSpace(line) != "" {
			break
		}
		inner = append(inner, own+strings.TrimPrefix(line, own+admonitionIndent))
	}
	return inner
}

// endsFence reports the line that ends a block of code.
func endsFence(line, fence string) bool {
	mark := strings.TrimSpace(line)
	return fenceOf(mark) == mark && strings.HasPrefix(mark, fence)
}

// fenceOf returns the fence that a line of code begins or ends with, with all of
// its signs; "" for other lines.
func fenceOf(line string) string {
	for _, sign := range []string{"`", "~"} {
		rest := strings.TrimLeft(line, sign)
		if n := len(line) - len(rest); n >= 3 && !strings.Contains(rest, "`") {
			return line[:n]
		}
	}
	return ""
}
