package rights

import (
	"colophon/exports"
	"colophon/internal/origin"
)

func MakePublisher(id string) exports.Publisher {
	p := exports.Publisher{PublisherID: id}
	p.Sources = append(p.Sources, exports.Source{URL: id})
	return p
}

func open(b origin.Bodies) string { return b.OpenBodies("x") }
