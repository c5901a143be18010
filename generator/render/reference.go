package render

import (
	"cmp"
	"strings"

	"colophon/exports"
	"colophon/internal/iscc"
	"colophon/internal/openapi"
	"colophon/internal/wire"
	"colophon/templates"
	"colophon/templates/frame"
)

// referencePage returns the contents of the reference: the table and schemas of
// the OpenAPI file, and links to sample answers of this site.
func referencePage(base string, c *Catalog, at frame.SiteFrame, nav []templates.DocLink) templates.ReferencePage {
	v := templates.ReferencePage{Site: at, Endpoints: exports.Surface, Nav: nav, Answers: openapi.Answers(), Samples: map[string]string{}, Calls: map[string]templates.Call{}}
	for i := range exports.Surface {
		e := &exports.Surface[i]
		address := e.Path
		if e.Method == "GET" && e.Auth == exports.Open {
			v.Samples[e.ID] = sampleAddress(e, c)
			address = cmp.Or(v.Samples[e.ID], address)
		}
		if call, ok := openapi.CallOf(e); ok {
			v.Calls[e.ID] = templates.Call{Curl: openapi.Curl(e, base+address, &call), Status: call.Status, Answer: call.Answer, Cut: call.Cut}
		}
	}
	for _, s := range openapi.Schemas() {
		v.Shapes = append(v.Shapes, templates.Shape{Name: s.Name, Members: shapeMembers(&s.Value, "", true)})
	}
	return v
}

// sampleAddress returns an address of this site that the endpoint answers, ""
// if there is no data for one yet.
func sampleAddress(e *exports.Endpoint, c *Catalog) string {
	path := e.Path
	for _, name := range openapi.PathNames(path) {
		value := ""
		switch {
		case name == "site_id" && len(c.Publishers) > 0:
			value = c.Publishers[0].Site.SiteID
		case name == "entry_id":
			for i := range c.Newest {
				if value == "" && c.Newest[i].Digest != "" {
					value = c.Newest[i].EntryID
				}
			}
		case name == "category_slug" && len(c.Categories) > 0:
			value = c.Categories[0].Slug
		}
		if value == "" {
			return ""
		}
		path = strings.Replace(path, "{"+name+"}", value, 1)
	}
	switch e.ID {
	case "search_content_catalog":
		path += "?q=page&limit=2"
	case "similar_citations":
		path += "?iscc=" + iscc.Sum(exports.SandboxText(exports.SandboxTitle)).String()
	case "resolve_citation", "rights_check":
		if len(c.Newest) == 0 {
			return ""
		}
		path += "?entry_id=" + c.Newest[0].EntryID
	default:
		for _, p := range e.Query {
			if p.Name == "limit" {
				path += "?limit=2"
			}
		}
	}
	return path
}

// shapeMembers lists the members of an object schema, and those of nested
// objects with their path.
func shapeMembers(schema *wire.Value, prefix string, deep bool) []templates.ShapeMember {
	props, required := schema.Get("properties"), schema.Get("required")
	if props == nil {
		return nil
	}
	var out []templates.ShapeMember
	for _, p := range props.Members {
		x := templates.ShapeMember{Name: prefix + p.Name, Required: containsName(required, p.Name)}
		x.Kind, x.Ref = kindOf(&p.Value)
		out = append(out, x)
		if deep {
			out = append(out, shapeMembers(&p.Value, x.Name+".", false)...)
		}
	}
	return out
}

func containsName(list *wire.Value, name string) bool {
	if list == nil {
		return false
	}
	for i := range list.Items {
		if s, _ := list.Items[i].Str(); s == name {
			return true
		}
	}
	return false
}

// kindOf describes in words what a schema allows, and returns the name of
// another schema that it refers to.
func kindOf(s *wire.Value) (kind, ref string) {
	if r := s.Get("$ref"); r != nil {
		text, _ := r.Str()
		return "", text[strings.LastIndexByte(text, '/')+1:]
	}
	if c := s.Get("const"); c != nil {
		return "always " + string(c.Append(nil)), ""
	}
	if any := s.Get("anyOf"); any != nil {
		return unionKinds(any.Items)
	}
	kind = typeWords(s.Get("type"))
	if items := s.Get("items"); items != nil {
		inner, ref := kindOf(items)
		return "list of " + inner, ref
	}
	if f := s.Get("format"); f != nil {
		text, _ := f.Str()
		kind += " (" + text + ")"
	}
	if list := s.Get("enum"); list != nil {
		var words []string
		for i := range list.Items {
			if w, ok := list.Items[i].Str(); ok {
				words = append(words, w)
			}
		}
		kind += ": " + strings.Join(words, ", ")
	}
	return kind + describeBounds(s), ""
}

// unionKinds joins the kinds of a union. If the union refers to several
// schemas, it returns the first.
func unionKinds(list []wire.Value) (kind, ref string) {
	var words []string
	for i := range list {
		word, name := kindOf(&list[i])
		switch {
		case word != "":
			words = append(words, word)
		case ref == "":
			ref = name
		default:
			words = append(words, name)
		}
	}
	kind = strings.Join(words, " or ")
	if ref != "" && kind != "" {
		kind += " or"
	}
	return kind, ref
}

func typeWords(t *wire.Value) string {
	if t == nil {
		return "anything"
	}
	if s, ok := t.Str(); ok {
		return s
	}
	var out []string
	for i := range t.Items {
		s, _ := t.Items[i].Str()
		out = append(out, s)
	}
	return strings.Join(out, " or ")
}

func describeBounds(s *wire.Value) string {
	out := ""
	for _, b := range [][2]string{{"minLength", "at least %s characters"}, {"maxLength", "at most %s characters"}, {"minimum", "at least %s"}, {"maximum", "at most %s"}} {
		if n := s.Get(b[0]); n != nil {
			out += ", " + strings.Replace(b[1], "%s", n.Text, 1)
		}
	}
	return out
}
