package intake

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
	"go.yaml.in/yaml/v3"
)

// frontMatter is the metadata at the head of a Markdown file, by lower-case
// name.
type frontMatter map[string]any

// splitFrontMatter cuts the front matter off a file: YAML between lines of
// three hyphens, TOML between lines of three plus signs, or a JSON object. A
// file without any is all text.
func splitFrontMatter(file string) (frontMatter, string, error) {
	text := strings.ReplaceAll(strings.TrimPrefix(file, "\ufeff"), "\r\n", "\n")
	for _, kind := range []struct {
		fence string
		read  func([]byte, any) error
	}{{"---", yaml.Unmarshal}, {"+++", toml.Unmarshal}} {
		rest, ok := strings.CutPrefix(text, kind.fence+"\n")
		if !ok {
			continue
		}
		head, body, ok := strings.Cut("\n"+rest, "\n"+kind.fence+"\n")
		if !ok {
			if head, ok = strings.CutSuffix("\n"+rest, "\n"+kind.fence); !ok {
				continue // a rule at the head of the text
			}
			body = ""
		}
		raw := map[string]any{}
		if err := kind.read(bytes.TrimSpace([]byte(head)), &raw); err != nil {
			return nil, "", fmt.Errorf("its front matter cannot be read: %w", err)
		}
		return foldNames(raw), body, nil
	}
	if jsonHead.MatchString(text) {
		return splitJSON(text)
	}
	return nil, text, nil
}

// jsonHead is how an object of JSON begins, and no template in braces.
var jsonHead = regexp.MustCompile(`^\{\s*"`)

// splitJSON cuts an object off the head of a file.
func splitJSON(text string) (frontMatter, string, error) {
	raw := map[string]any{}
	dec := json.NewDecoder(strings.NewReader(text))
	if err := dec.Decode(&raw); err != nil {
		return nil, "", fmt.Errorf("its front matter cannot be read: %w", err)
	}
	return foldNames(raw), text[dec.InputOffset():], nil
}

// textField returns the first text under one of the names.
func (m frontMatter) textField(names ...string) string {
	for _, name := range names {
		if list := metaTexts(m[name]); len(list) > 0 {
			return list[0]
		}
	}
	return ""
}

// listField returns the texts under the first of the names that has any.
func (m frontMatter) listField(names ...string) []string {
	for _, name := range names {
		if list := metaTexts(m[name]); len(list) > 0 {
			return list
		}
	}
	return nil
}

// metaTexts returns a value as texts. A table is represented by its name, as
// authors are.
func metaTexts(v any) []string {
	switch v := v.(type) {
	case string:
		if s := oneLine(v); s != "" {
			return []string{s}
		}
	case time.Time:
		return []string{instantOf(v)}
	case toml.LocalDate, toml.LocalDateTime:
		return []string{fmt.Sprint(v)}
	case int, int64, float64, bool:
		return []string{fmt.Sprint(v)}
	case []any:
		var list []string
		for _, item := range v {
			list = append(list, metaTexts(item)...)
		}
		return list
	case map[string]any:
		for _, name := range []string{"name", "title"} {
			if list := metaTexts(v[name]); len(list) > 0 {
				return list
			}
		}
	}
	return nil
}

// toDraft returns what front matter states of a page.
func (m frontMatter) toDraft() draft {
	return draft{
		title: m.textField("title", "linktitle", "sidebar_label"), byline: m.listField("authors", "author"), section: m.textField("section", "category", "categories"),
		terms: append(m.listField("tags"), m.listField("keywords")...), language: languageTag(m.textField("lang", "language", "locale")),
		published: instant(m.textField("date", "publishdate", "pubdate")), modified: instant(m.textField("lastmod", "last_modified_at", "last_update", "updated", "modified")),
	}
}
