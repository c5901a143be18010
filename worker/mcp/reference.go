package mcp

import "colophon/internal/wire"

// Reference returns the documentation of all tools, in Markdown, from the
// tables.
func Reference() string {
	b := []byte("# MCP tools\n\nMade from the tool tables of `worker/mcp`. Every tool only reads; unknown arguments are refused.\n")
	for _, e := range []struct {
		path, about string
		tools       []Tool
	}{
		{"/mcp", "Open to all.", PublicTools()},
		{"/mcp/publisher/{site_id}", "Open to all; scoped to one publisher.", PublisherTools()},
		{"/mcp/gateway", "Listing is open; calling needs a buyer credential.", GatewayTools()},
	} {
		b = append(b, "\n## `"+e.path+"`\n\n"+e.about+"\n"...)
		for i := range e.tools {
			b = e.tools[i].documentTool(b)
		}
	}
	return string(b)
}

func (t *Tool) documentTool(b []byte) []byte {
	b = append(b, "\n### "+t.Name+"\n\n"+t.Description+"\n"...)
	schema := t.Input()
	properties := schema.Get("properties").Members
	if len(properties) == 0 {
		return append(b, "\nNo arguments.\n"...)
	}
	b = append(b, "\n| argument | | values | default |\n|---|---|---|---|\n"...)
	for i := range properties {
		p := &properties[i]
		about, _ := p.Value.Get("description").Str()
		if isRequired(&schema, p.Name) {
			about += " Required."
		}
		b = append(b, "| `"+p.Name+"` | "+about+" | "+describeBounds(&p.Value)+" | "...)
		if d := p.Value.Get("default"); d != nil {
			b = append(d.Append(append(b, '`')), '`')
		}
		b = append(b, " |\n"...)
	}
	return b
}

func isRequired(schema *wire.Value, name string) bool {
	list := schema.Get("required")
	for i := 0; list != nil && i < len(list.Items); i++ {
		if list.Items[i].Text == name {
			return true
		}
	}
	return false
}

// describeBounds describes a property's type and limits in words.
func describeBounds(p *wire.Value) string {
	word, _ := p.Get("type").Str()
	span := func(low, high string) string {
		from, to := p.Get(low), p.Get(high)
		if from == nil || to == nil {
			return ""
		}
		return " " + from.Text + "–" + to.Text
	}
	switch {
	case p.Get("enum") != nil:
		out := ""
		for i, item := range p.Get("enum").Items {
			if i > 0 {
				out += ", "
			}
			out += item.Text
		}
		return out
	case word == "integer":
		return word + span("minimum", "maximum")
	case word == "string":
		return word + span("minLength", "maxLength")
	}
	return "list of strings"
}
