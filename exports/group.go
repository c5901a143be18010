package exports

import "colophon/internal/wire"

// GroupRef names the organization above the sites that stand together.
type GroupRef struct {
	GroupID string // id of the account, "pub_" and more
	Name    string // untrusted text
}

// Members describes the JSON form.
func (g *GroupRef) Members(m *wire.Members) {
	m.String("group_id", &g.GroupID)
	m.String("name", &g.Name)
}
