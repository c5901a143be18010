package demo

import (
	"fmt"
	"strings"
)

// A sheet is a text file of blocks. A block begins with "[kind]" or "[kind
// key]"; then follow fields ("name: value"), items ("- text") and raw lines ("|
// text"). Blank lines and lines that begin with "#" are ignored. Anything else
// is an error.
type sheet struct {
	name   string
	blocks []*block
}

// block is one part of a sheet. err is the first error found in reading it.
type block struct {
	at        string // file:line
	kind, key string
	names     []string // fields not yet taken, in order
	fields    map[string]string
	items     []string
	raw       []string
	err       error
}

func parseSheet(name, text string) (*sheet, error) {
	s := &sheet{name: name}
	for i, line := range strings.Split(text, "\n") {
		at := fmt.Sprintf("%s:%d", name, i+1)
		if err := s.addLine(at, strings.TrimRight(line, "\r")); err != nil {
			return nil, fmt.Errorf("%s: %w", at, err)
		}
	}
	return s, nil
}

func (s *sheet) addLine(at, line string) error {
	if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
		return nil
	}
	if head, ok := strings.CutPrefix(line, "["); ok {
		head, ok = strings.CutSuffix(head, "]")
		kind, key, _ := strings.Cut(head, " ")
		if !ok || kind == "" {
			return fmt.Errorf("%q is not the head of a block", line)
		}
		s.blocks = append(s.blocks, &block{at: at, kind: kind, key: key, fields: map[string]string{}})
		return nil
	}
	if len(s.blocks) == 0 {
		return fmt.Errorf("%q stands before the first block", line)
	}
	return s.blocks[len(s.blocks)-1].addLine(line)
}

func (b *block) addLine(line string) error {
	if line == "|" {
		b.raw = append(b.raw, "")
		return nil
	}
	if text, ok := strings.CutPrefix(line, "| "); ok {
		b.raw = append(b.raw, text)
		return nil
	}
	if text, ok := strings.CutPrefix(line, "- "); ok {
		b.items = append(b.items, strings.TrimSpace(text))
		return nil
	}
	name, value, ok := strings.Cut(line, ": ")
	if !ok || name == "" || strings.ContainsAny(name, " \t") {
		return fmt.Errorf("%q is neither a field, an item nor a raw line", line)
	}
	if _, twice := b.fields[name]; twice {
		return fmt.Errorf("the field %q stands twice", name)
	}
	b.names = append(b.names, name)
	b.fields[name] = strings.TrimSpace(value)
	return nil
}

// setFault records the first error of the block.
func (b *block) setFault(format string, args ...any) {
	if b.err == nil {
		b.err = fmt.Errorf("%s: [%s %s]: %w", b.at, b.kind, b.key, fmt.Errorf(format, args...))
	}
}

// takeField returns a field, "" if it is missing.
func (b *block) takeField(name string) string {
	for i, n := range b.names {
		if n == name {
			b.names = append(b.names[:i:i], b.names[i+1:]...)
			return b.fields[name]
		}
	}
	return ""
}

// needField returns a field that must be present.
func (b *block) needField(name string) string {
	v := b.takeField(name)
	if v == "" {
		b.setFault("the field %q is missing", name)
	}
	return v
}

// wordField returns a field that must be one of a closed list.
func (b *block) wordField(name string, list []string) string {
	return b.knownWord(b.needField(name), list)
}

// wordsField returns a list field whose words must be in a closed list.
func (b *block) wordsField(name string, list []string) []string {
	out := splitList(b.takeField(name), ",")
	for _, w := range out {
		b.knownWord(w, list)
	}
	return out
}

// listField returns a field of texts separated by commas.
func (b *block) listField(name string) []string { return splitList(b.takeField(name), ",") }

// instantField returns a field that is a day or an instant, "" if it is
// missing.
func (b *block) instantField(name string) string { return b.parseTime(b.takeField(name)) }

// closeBlock returns the block's error; a field that was not taken is an error.
func (b *block) closeBlock() error {
	if len(b.names) > 0 {
		b.setFault("the field %q is unknown", b.names[0])
	}
	return b.err
}

// splitRow splits a table row into exactly n cells.
func (b *block) splitRow(item string, n int) []string {
	cells := strings.Split(item, "|")
	if len(cells) != n {
		b.setFault("%q has %d cells, not %d", item, len(cells), n)
		return make([]string, n)
	}
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells
}

// splitList splits a list into its trimmed parts; "" has none.
func splitList(text, by string) []string {
	if text == "" {
		return nil
	}
	parts := strings.Split(text, by)
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}
