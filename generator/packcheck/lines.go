package packcheck

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"golang.org/x/net/html"

	"colophon/exports"
)

// Every use that a client may understand by each word of the line formats.
var (
	usageUses  = map[string][]int{"train-ai": {training, fineTuning, datasets}, "ai-use": {rag, summarization}, "search": {search}}
	signalUses = map[string][]int{"ai-train": {training, fineTuning, datasets}, "ai-input": {rag, summarization}, "search": {search}}
	tdmUses    = []int{rag, training, fineTuning, summarization, datasets}
	trainUses  = []int{training, fineTuning, datasets}
)

// parsePairs parses "a=b, c=d".
func parsePairs(text string) map[string]string {
	out := map[string]string{}
	for _, item := range strings.Split(text, ",") {
		key, value, _ := strings.Cut(strings.TrimSpace(item), "=")
		out[key] = value
	}
	return out
}

// readRobots reads what the preference lines allow in any group, because an
// agent may be in any of them. Within a group the rule with the longest path
// counts.
func readRobots(body []byte, path string) (levels, error) {
	var out levels
	for _, group := range strings.Split("\n"+string(body), "\nUser-agent:")[1:] {
		longest, usage := -1, ""
		for _, line := range strings.Split(group, "\n")[1:] {
			key, value, _ := strings.Cut(line, ":")
			value = strings.TrimSpace(value)
			switch strings.ToLower(key) {
			case "content-signal":
				out.raiseAllowed(parsePairs(value), "yes", signalUses)
			case "content-usage":
				pattern, prefs, _ := strings.Cut(value, " ")
				if exports.MatchPattern(pattern, path) && len(pattern) > longest {
					longest, usage = len(pattern), prefs
				}
			}
		}
		out.raiseAllowed(parsePairs(usage), "y", usageUses)
	}
	return out, nil
}

func (l *levels) raiseAllowed(said map[string]string, yes string, uses map[string][]int) {
	for word, value := range said {
		if value == yes {
			l.raiseUses(free, uses[word]...)
		}
	}
}

// readField reads one header field.
func (l *levels) readField(name, value string) {
	switch strings.ToLower(name) {
	case "content-usage":
		l.raiseAllowed(parsePairs(value), "y", usageUses)
	case "content-signal":
		l.raiseAllowed(parsePairs(value), "yes", signalUses)
	case "tdm-reservation":
		if strings.TrimSpace(value) != "1" {
			l.raiseUses(free, tdmUses...)
		}
	}
}

// readHeaderList reads headers.json, in which the first matching rule counts.
func readHeaderList(body []byte, path string) (levels, error) {
	var rules []struct {
		Path    string
		Headers []struct{ Name, Value string }
	}
	var out levels
	if err := json.Unmarshal(body, &rules); err != nil {
		return out, err
	}
	for _, r := range rules {
		if !exports.MatchPattern(r.Path, path) {
			continue
		}
		for _, h := range r.Headers {
			out.readField(h.Name, h.Value)
		}
		break
	}
	return out, nil
}

// readHeaderBlock reads a _headers file, which has one rule for all paths.
func readHeaderBlock(body []byte, _ string) (levels, error) {
	var out levels
	head, rest, _ := strings.Cut(string(body), "\n")
	if head != "/*" {
		return out, fmt.Errorf("the first rule is %q", head)
	}
	for _, line := range strings.Split(rest, "\n") {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		out.readField(name, value)
	}
	return out, nil
}

var (
	nginxMap  = regexp.MustCompile(`(?s)map \$uri \$rights_(\w+) \{\n(.*?)\n\}`)
	nginxLine = regexp.MustCompile(`(?m)^    (default|"~([^\n]*)") '([^'\n]*)';$`)
)

// readNginx reads maps as nginx does: the regular expressions in order, then
// the default.
func readNginx(body []byte, path string) (levels, error) {
	uri, _, _ := strings.Cut(path, "?")
	var out levels
	for _, m := range nginxMap.FindAllStringSubmatch(string(body), -1) {
		value := ""
		fallback := ""
		found := false
		for _, l := range nginxLine.FindAllStringSubmatch(m[2], -1) {
			if l[1] == "default" {
				fallback = l[3]
				continue
			}
			re, err := regexp.Compile(l[2])
			if err != nil {
				return out, err
			}
			if !found && re.MatchString(uri) {
				value, found = l[3], true
			}
		}
		if !found {
			value = fallback
		}
		if value != "" {
			out.readField(strings.ReplaceAll(m[1], "_", "-"), value)
		}
	}
	return out, nil
}

// readAITxt reads Spawning's ai.txt. If two rules match equally well, it takes
// the freer one.
func readAITxt(body []byte, path string) (levels, error) {
	longest, allow := -1, false
	for _, line := range strings.Split(string(body), "\n") {
		key, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		yes := strings.EqualFold(key, "allow")
		if !yes && !strings.EqualFold(key, "disallow") || !exports.MatchPattern(value, path) || len(value) < longest {
			continue
		}
		allow = yes || allow && len(value) == longest
		longest = len(value)
	}
	var out levels
	if allow {
		out.raiseUses(free, trainUses...)
	}
	return out, nil
}

func readTrustTxt(body []byte, _ string) (levels, error) {
	var out levels
	for _, line := range strings.Split(string(body), "\n") {
		if key, value, _ := strings.Cut(line, "="); key == "datatrainingallowed" && value != "no" {
			out.raiseUses(free, trainUses...)
		}
	}
	return out, nil
}

// readHead reads the elements for a page's head.
func readHead(body []byte, _ string) (levels, error) {
	var out levels
	doc, err := html.Parse(strings.NewReader("<!doctype html><head>" + string(body) + "</head>"))
	if err != nil {
		return out, err
	}
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode || n.Data != "meta" {
			continue
		}
		attr := map[string]string{}
		for _, a := range n.Attr {
			attr[a.Key] = a.Val
		}
		if attr["name"] == "tdm-reservation" && attr["content"] != "1" {
			out.raiseUses(free, tdmUses...)
		}
	}
	return out, nil
}

var errPLUS = errors.New("not a plus:DataMining value")

// readPLUS reads the value of plus:DataMining.
func readPLUS(body []byte, _ string) (levels, error) {
	var out levels
	value, ok := strings.CutPrefix(strings.TrimSpace(string(body)), "http://ns.useplus.org/ldf/vocab/DMI-")
	if !ok {
		return out, errPLUS
	}
	switch value {
	case "ALLOWED":
		out.raiseUses(free, trainUses...)
	case "PROHIBITED-EXCEPTSEARCHENGINEINDEXING":
		out.raiseUses(free, search)
	}
	return out, nil
}
