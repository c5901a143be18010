package originsql_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/origin"
	"colophon/internal/originsql"
)

// erased returns a request without personal data.
func erased(r origin.Request, at string) origin.Request {
	return origin.Request{
		RequestID: r.RequestID, ThreadID: r.ThreadID, SiteID: r.SiteID, Channel: r.Channel, OrgID: r.OrgID, State: r.State, StateSince: r.StateSince,
		Moves: r.Moves, MovedBy: r.MovedBy, MoveReason: r.MoveReason, RequestedUse: r.RequestedUse, MessageID: r.MessageID, BudgetCents: -1,
		TermMonths: -1, Locale: r.Locale, TokenExpires: r.TokenExpires, Messages: r.Messages, PublisherAt: r.PublisherAt, Reminders: r.Reminders,
		RemindedAt: r.RemindedAt, HeldFor: r.HeldFor, Successor: r.Successor, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt, ErasedAt: at,
		Letters: r.Letters, LettersAt: r.LettersAt, GroupID: r.GroupID, LastAuthor: r.LastAuthor,
	}
}

// ask adds a request with every field set, but for those that are given, and
// returns it as it is stored.
func ask(t *testing.T, s *originsql.Store, id string, change func(r *origin.Request)) origin.Request {
	t.Helper()
	r := fill(t, origin.Request{SiteID: "a-site"}, "SiteID", "ErasedAt")
	r.RequestID, r.ThreadID, r.MessageID, r.Key, r.Dedupe = "req_"+id, "thr_"+id, "msg_"+id, "key_"+id, "dedupe_"+id
	change(&r)
	if added, err := s.AddRequest(t.Context(), r, ""); !added || err != nil {
		t.Fatalf("request %s: added %v, %v", id, added, err)
	}
	return request(t, s, r.RequestID)
}

func request(t *testing.T, s *originsql.Store, id string) origin.Request {
	t.Helper()
	r, err := s.Request(t.Context(), id)
	must(t, err)
	return r
}

// TestPerson finds what is stored with an address, in whatever case and between
// whatever spaces it was written, and erases it and nothing else.
func TestPerson(t *testing.T) {
	ctx, s := context.Background(), inquiries(t)
	const ada, now = "ada@ports.example", "2026-06-01T00:00:00Z"
	mail := func(address string) func(r *origin.Request) {
		return func(r *origin.Request) { r.BuyerEmail, r.State = address, "delivered" }
	}
	open := ask(t, s, "1", mail(" Ada@Ports.example"))
	closed := ask(t, s, "2", func(r *origin.Request) { r.BuyerEmail, r.State = ada, "declined" })
	others := []origin.Request{ask(t, s, "3", mail("bob@ports.example")), ask(t, s, "4", mail("")), ask(t, s, "5", mail("x"+ada))}

	var demand []origin.Demand
	for i, address := range []string{"ADA@ports.example ", ada, "bob@ports.example"} {
		d := fill(t, origin.Demand{})
		d.DemandID, d.BuyerEmail, d.ChangedAt = fmt.Sprint("dmd_", i), address, "2026-01-01T00:00:00Z"
		if i == 1 {
			d.ChangedAt = "2026-07-01T00:00:00Z" // by a clock that is ahead
		}
		must(t, s.PutDemand(ctx, d))
		demand = append(demand, d)
	}
	for _, x := range []struct{ id, address, changed string }{{"1", "Ada@ports.example", "2026-01-01T00:00:00Z"}, {"2", ada, "2026-07-01T00:00:00Z"}, {"3", "bob@ports.example", now}, {"4", "", now}} {
		must(t, s.PutPublisher(ctx, origin.Publisher{PublisherID: "pub_" + x.id, LegalName: "P", ContactName: "Ada", ContactEmail: x.address, CreatedAt: "t"}))
		must(t, s.PutPartner(ctx, origin.Partner{OrgID: "org_" + x.id, Name: "O", State: "active", ContactEmail: x.address, ChangedAt: x.changed}))
		must(t, s.PutBuyer(ctx, origin.Buyer{BuyerID: "byr_" + x.id, Name: "B", State: "active", ContactEmail: x.address, ChangedAt: x.changed}))
	}

	p, err := s.Person(ctx, "ADA@PORTS.example ", "")
	must(t, err)
	var contacts []string
	for _, c := range p.Contacts {
		contacts = append(contacts, strings.Join([]string{c.Kind, c.ID, c.Name, c.Email, c.Label}, " "))
	}
	want := "publisher pub_1 P Ada@ports.example Ada, publisher pub_2 P ada@ports.example Ada, partner org_1 O Ada@ports.example , partner org_2 O ada@ports.example , buyer byr_1 B Ada@ports.example , buyer byr_2 B ada@ports.example "
	assert.Equal(t, strings.Join(contacts, ", "), want, "contacts")
	same(t, "demand of a person", p.Demand, demand[:2], nil)
	if len(p.Inquiries) != 2 {
		t.Fatalf("%d inquiries", len(p.Inquiries))
	}
	for i, r := range []origin.Request{open, closed} {
		messages, err := s.MessagesOf(ctx, r.ThreadID, 0, 10)
		must(t, err)
		history, err := s.History(ctx, r.RequestID)
		must(t, err)
		r.TokenHash, r.Fingerprint, r.Dedupe = "", "", ""
		same(t, "an inquiry", p.Inquiries[i], originsql.PersonInquiry{Request: r, Messages: messages, History: history}, nil)
		if len(messages) != 1 || len(history) != 1 {
			t.Errorf("%d messages and %d moves of %s", len(messages), len(history), r.RequestID)
		}
	}
	if s.DB() != nil {
		var mentions []string
		for _, m := range p.Mentions {
			mentions = append(mentions, fmt.Sprint(m.Table, ".", m.Column, " ", m.Rows))
		}
		assert.Equal(t, strings.Join(mentions, ", "), "buyers.contact_email 2, demand.buyer_email 2, partners.contact_email 2, publishers.contact_email 2, requests.buyer_email 3", "mentions")
	}
	if nobody, err := s.Person(ctx, " ", ""); err != nil || len(nobody.Inquiries)+len(nobody.Demand)+len(nobody.Contacts) > 0 {
		t.Errorf("without an address: %+v, %v", nobody, err)
	}

	done, err := s.ErasePerson(ctx, " "+ada, "", []string{"received", "delivered"}, "withdrawn", now)
	same(t, "erased", done, originsql.PersonErased{Requests: 2, Demand: 2, Contacts: 6}, err)
	open.State, open.StateSince, open.UpdatedAt, open.MovedBy, open.MoveReason = "withdrawn", now, now, "operator", ""
	open.Moves++
	same(t, "an open request", request(t, s, "req_1"), erased(open, now), nil)
	same(t, "a closed request", request(t, s, "req_2"), erased(closed, now), nil)
	for _, r := range others {
		same(t, "a request of another", request(t, s, r.RequestID), r, nil)
	}
	history, err := s.History(ctx, "req_1")
	if must(t, err); len(history) != 2 || history[1].From != "delivered" || history[1].To != "withdrawn" || history[1].By != "operator" {
		t.Errorf("moves %+v", history)
	}
	for i := range demand[:2] {
		d := &demand[i]
		d.OptedIn, d.BuyerDisplay, d.BuyerName, d.BuyerEmail, d.SavedSearch, d.PipelineStage, d.PrivateNotes = false, "", "", "", "", "", ""
		d.ChangedAt = max(d.ChangedAt, now)
	}
	left, err := s.Demand(ctx)
	same(t, "demand", left, demand, err)
	for id, changed := range map[string]string{"1": now, "2": "2026-07-01T00:00:00Z", "3": now} {
		publisher, err := s.Publisher(ctx, "pub_"+id)
		must(t, err)
		partner, err := s.Partner(ctx, "org_"+id)
		must(t, err)
		buyer, err := s.Buyer(ctx, "byr_"+id)
		must(t, err)
		contact := map[string]string{"3": "bob@ports.example"}[id]
		if publisher.ContactEmail != contact || (publisher.ContactName == "") != (contact == "") || partner.ContactEmail != contact || partner.ChangedAt != changed || buyer.ContactEmail != contact || buyer.ChangedAt != changed {
			t.Errorf("account %s: %+v, %+v, %+v", id, publisher, partner, buyer)
		}
	}
	again, err := s.ErasePerson(ctx, ada, "", []string{"delivered"}, "withdrawn", now)
	same(t, "erased again", again, originsql.PersonErased{}, err)
}
