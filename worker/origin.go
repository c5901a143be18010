package worker

import "colophon/internal/origin"

// Origin is all that the worker asks of the private store.
type Origin interface {
	origin.SiteReader
	origin.Requests
	origin.Threads
	origin.PartnerKeys
	origin.InboxLinks
	origin.Joins
	Needs
	Receivers
	origin.Counters
	origin.Rights
	origin.BuyerReader
	origin.Delivery
	origin.Bodies
}

// Over returns d with every store it needs taken from one.
func (d Deps) Over(o Origin) Deps {
	d.Sites, d.Inquiries = o, o
	d.PartnerKeys = o
	d.InboxLinks = o
	d.Joins = o
	d.Counters = o
	d.Rights = o
	d.Needs = o
	d.Receivers = o
	d.Buyers = o
	d.Delivery = o
	d.Bodies = o
	return d
}
