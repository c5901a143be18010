package worker

import (
	contract "colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/wire"
)

type shadow contract.Publisher

type renamed = contract.Publisher

var (
	empty    contract.Publisher
	page     = contract.Page{Total: 1}
	aliased  = contract.Publisher{PublisherID: "x"}         // want `fills exports.Publisher`
	listed   = []contract.Publisher{{PublisherID: "x"}}     // want `fills exports.Publisher`
	pointers = []*contract.Source{{URL: "x"}}               // want `fills exports.Source`
	byName   = renamed{PublisherID: "x"}                    // want `fills exports.Publisher`
	turned   = contract.Publisher(shadow{PublisherID: "x"}) // want `fills exports.Publisher`
)

func assign(p *contract.Publisher, list []contract.Publisher) {
	page.Total = 2
	p.PublisherID = "x"                     // want `fills exports.Publisher`
	list[0].PublisherID = "x"               // want `fills exports.Publisher`
	page.Publishers[0].Sources[0].URL = "x" // want `fills exports.Source`
	(*p).Sources = nil                      // want `fills exports.Publisher`
}

func read(b origin.Bodies) {
	b.OpenBodies("x") // want `uses OpenBodies`
	f := b.OpenBodies // want `uses OpenBodies`
	f("x")
}

const address = "contact_email"

func write() []wire.Member {
	return []wire.Member{
		wire.M("title", wire.String("x")),
		wire.M("buyer_email", wire.String("x")),   // want `writes the member "buyer_email"`
		wire.M(address, wire.String("x")),         // want `writes the member "contact_email"`
		{Name: "secret", Value: wire.String("x")}, // want `writes the member "secret"`
		{"password", wire.String("x")},            // want `writes the member "password"`
	}
}

func place(r *contract.FeedRecord) {
	r.Cursor = "x"
	r.Title = "x" // want `fills exports.FeedRecord`
}
