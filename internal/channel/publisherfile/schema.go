package publisherfile

import "colophon/internal/wire"

// Schema returns the JSON Schema (draft 2020-12) of a file, with the address
// id. It is derived from the records with which Read decodes, with the bounds
// on lists. Only Read checks what a schema cannot express, such as that a
// currency is in use.
func Schema(id string) wire.Value {
	body := wire.Schema(&File{}, true)
	boundLists(body, "", map[string]int64{
		"/hosts": MaxHosts, "/preferences": MaxPreferences, "/offers": MaxOffers, "/withdrawn": MaxWithdrawn, "/reservations": MaxReserved, "/offers/uses": MaxWords,
		"/preferences/paths": MaxPaths, "/offers/paths": MaxPaths, "/offers/excludes": MaxPaths,
	})
	head := wire.Object(
		wire.M("$schema", wire.String("https://json-schema.org/draft/2020-12/schema")),
		wire.M("$id", wire.String(id)),
		wire.M("title", wire.String("The publisher's own file, "+WellKnown)),
		wire.M("grants_rights", wire.Bool(false)), // as every document of the service says
	)
	head.Members = append(head.Members, body.Members...)
	return head
}

// boundLists adds maxItems to every list below a schema.
func boundLists(schema wire.Value, at string, most map[string]int64) {
	properties := schema.Get("properties")
	if properties == nil {
		return
	}
	for i := range properties.Members {
		m := &properties.Members[i]
		name := at + "/" + m.Name
		items := m.Value.Get("items")
		if items == nil {
			boundLists(m.Value, name, most)
			continue
		}
		boundLists(*items, name, most)
		n := most[name]
		if n == 0 {
			n = MaxWords
		}
		m.Value.Members = append(m.Value.Members, wire.M("maxItems", wire.Int(n)))
	}
}
