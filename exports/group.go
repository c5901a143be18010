package exports

import "colophon/internal/wire"

// GroupRef names the organization to which several sites belong.
type GroupRef struct {
	GroupID string // id of the account, with the prefix "pub_"
	Name    string // untrusted text
}

func (g *GroupRef) Members(m *wire.Members) {
	m.String("group_id", &g.GroupID)
	m.String("name", &g.Name)
}
