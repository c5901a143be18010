// Package frontmatter reads the metadata at the head of Markdown files, and
// documents that are as loose about types as it is.
package frontmatter

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
	"go.yaml.in/yaml/v3"

	"colophon/internal/extract"
)

// Fields is the metadata at the head of a Markdown file, by lower-case name.
type Fields map[string]any

// Split cuts the front matter off a file: YAML between lines of three hyphens,
// TOML between lines of three plus signs, or a JSON object. A file without any
// is all text.
func Split(file string) (Fields, string, error) {
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
		return Fold(raw), body, nil
	}
	if jsonHead.MatchString(text) {
		return splitJSON(text)
	}
	return nil, text, nil
}

// jsonHead is how an object of JSON begins, and no template in braces.
var jsonHead = regexp.MustCompile(`^\{\s*"`)

// splitJSON cuts an object off the head of a file.
func splitJSON(text string) (Fields, string, error) {
	raw := map[string]any{}
	dec := json.NewDecoder(strings.NewReader(text))
	if err := dec.Decode(&raw); err != nil {
		return nil, "", fmt.Errorf("its front matter cannot be read: %w", err)
	}
	return Fold(raw), text[dec.InputOffset():], nil
}

// Text returns the first text under one of the names.
func (m Fields) Text(names ...string) string {
	for _, name := range names {
		if list := metaTexts(m[name]); len(list) > 0 {
			return list[0]
		}
	}
	return ""
}

// Texts returns the texts under the first of the names that has any.
func (m Fields) Texts(names ...string) []string {
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
		if s := extract.OneLine(v); s != "" {
			return []string{s}
		}
	case time.Time:
		return []string{extract.InstantOf(v)}
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

// Fold returns the members of a document by their names in lower case.
func Fold(raw map[string]any) Fields {
	m := Fields{}
	for name, value := range raw {
		m[strings.ToLower(name)] = value
	}
	return m
}

// Object returns the object under names that lie within each other, nil for none.
func (m Fields) Object(names ...string) Fields {
	for _, name := range names {
		inner, ok := m[name].(map[string]any)
		if !ok {
			return nil
		}
		m = Fold(inner)
	}
	return m
}

// Objects returns the objects of a list.
func (m Fields) Objects(name string) []Fields {
	var list []Fields
	items, _ := m[name].([]any)
	for _, item := range items {
		if o, ok := item.(map[string]any); ok {
			list = append(list, Fold(o))
		}
	}
	return list
}

// Block returns a text with its lines.
func (m Fields) Block(name string) string {
	text, _ := m[name].(string)
	return text
}

// True reports a switch that is on, in any spelling of YAML.
func (m Fields) True(name string) bool {
	return slices.Contains([]string{"true", "yes", "on", "1"}, strings.ToLower(m.Text(name)))
}

// False reports a switch that is off; one that is missing is neither on nor off.
func (m Fields) False(name string) bool {
	return slices.Contains([]string{"false", "no", "off", "0"}, strings.ToLower(m.Text(name)))
}
