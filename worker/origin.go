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
	d.PartnerKeys, d.InboxLinks, d.Joins, d.Counters, d.Rights, d.Needs, d.Receivers = o, o, o, o, o, o, o
	d.Buyers, d.Delivery, d.Bodies = o, o, o
	return d
}
