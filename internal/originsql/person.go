package originsql

import (
	"context"
	"slices"
	"strings"

	"colophon/internal/origin"
)

// sameEmail selects rows whose column holds the address ?1, in any case. The
// domain is not case-sensitive, and no provider in use tells mailboxes apart
// by case.
func sameEmail(column string) string {
	return "WHERE " + column + " <> '' AND lower(trim(" + column + ")) = lower(trim(?1)) "
}

// Person is everything stored with an e-mail address.
type Person struct {
	Email     string          `json:"email"`
	Inquiries []PersonInquiry `json:"inquiries"` // that have not been erased
	Demand    []origin.Demand `json:"demand"`
	Contacts  []Contact       `json:"contacts"`
	Mentions  []Mention       `json:"mentions"`

	Reservations []origin.Reservation `json:"reservations"` // of which the person is the author
}

// PersonInquiry is an inquiry with its conversation.
type PersonInquiry struct {
	Request  origin.Request   `json:"request"`
	Messages []origin.Message `json:"messages"`
	History  []origin.Move    `json:"history"`
}

// Person reads everything stored with an e-mail address, without what is of use
// to this service alone. Reservations are found by the address in the name of their
// author, or by the name, "" for none.
func (s *Store) Person(ctx context.Context, email, name string) (Person, error) {
	p := Person{Email: email, Inquiries: []PersonInquiry{}}
	requests, err := requestTable.list(ctx, s, "list requests", sameEmail("buyer_email")+"ORDER BY request_id", email)
	if err != nil {
		return p, err
	}
	for _, r := range requests {
		r.TokenHash, r.Fingerprint, r.Dedupe = "", "", ""
		x := PersonInquiry{Request: r}
		if x.Messages, err = s.MessagesOf(ctx, r.ThreadID, 0, 10_000); err != nil {
			return p, err
		}
		if x.History, err = s.History(ctx, r.RequestID); err != nil {
			return p, err
		}
		p.Inquiries = append(p.Inquiries, x)
	}
	if p.Demand, err = demandTable.list(ctx, s, "list demand", sameEmail("buyer_email")+"ORDER BY demand_id", email); err != nil {
		return p, err
	}
	if p.Contacts, err = s.contactsWith(ctx, email); err != nil {
		return p, err
	}
	if p.Reservations, err = s.reservationsBy(ctx, email, name); err != nil {
		return p, err
	}
	p.Mentions, err = s.Mentions(ctx, email)
	return p, err
}

// Mention is a column whose texts contain an address.
type Mention struct {
	Table  string `json:"table"`
	Column string `json:"column"`
	Rows   int64  `json:"rows"`
}

var scanMention = into(func(m *Mention) []any { return []any{&m.Table, &m.Column} })

// Mentions looks for an address in every text of a store in a file. It finds
// nothing in another store.
func (s *Store) Mentions(ctx context.Context, email string) ([]Mention, error) {
	found := []Mention{}
	if s.DB() == nil {
		return found, nil
	}
	const columns = `SELECT t.name, c.name FROM sqlite_master AS t, pragma_table_info(t.name) AS c
		WHERE t.type = 'table' ORDER BY t.name, c.cid`
	all, err := queryAll(ctx, s, scanMention, read("list columns", columns))
	if err != nil {
		return nil, err
	}
	for _, m := range all {
		query := `SELECT count(*) FROM "` + m.Table + `" WHERE instr(lower(CAST("` + m.Column + `" AS TEXT)), lower(trim(?1))) > 0`
		if err := s.DB().QueryRowContext(ctx, query, email).Scan(&m.Rows); err != nil {
			return nil, err
		}
		if m.Rows > 0 {
			found = append(found, m)
		}
	}
	return found, nil
}

// Contact is an account whose contact has an e-mail address.
type Contact struct {
	Kind  string `json:"kind"` // publisher, partner, buyer
	ID    string `json:"id"`
	Name  string `json:"name"` // of the organization
	Email string `json:"email"`
	Label string `json:"label"` // name of the person, "" if unknown
}

var scanContact = into(func(c *Contact) []any { return []any{&c.Kind, &c.ID, &c.Name, &c.Email, &c.Label} })

// contactQueries select the accounts of each kind with a contact of ?1.
var contactQueries = []string{
	"SELECT 'publisher', publisher_id, legal_name, contact_email, contact_name FROM publishers " + sameEmail("contact_email") + "ORDER BY publisher_id",
	"SELECT 'partner', org_id, name, contact_email, '' FROM partners " + sameEmail("contact_email") + "ORDER BY org_id",
	"SELECT 'buyer', buyer_id, name, contact_email, '' FROM buyers " + sameEmail("contact_email") + "ORDER BY buyer_id",
}

// contactsWith lists the accounts whose contact has an e-mail address.
func (s *Store) contactsWith(ctx context.Context, email string) ([]Contact, error) {
	var out []Contact
	for _, query := range contactQueries {
		found, err := queryAll(ctx, s, scanContact, read("list contacts", query, email))
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}

// reservationsBy lists the reservations whose author has an e-mail address in its
// name, or has a name, "" for none.
func (s *Store) reservationsBy(ctx context.Context, email, name string) ([]origin.Reservation, error) {
	all, err := s.Reservations(ctx)
	email, name = strings.ToLower(strings.TrimSpace(email)), strings.TrimSpace(name)
	return slices.DeleteFunc(all, func(r origin.Reservation) bool {
		for _, author := range []string{r.AuthorName, r.AuthorDisplay} {
			if strings.Contains(strings.ToLower(author), email) || name != "" && strings.EqualFold(strings.TrimSpace(author), name) {
				return false
			}
		}
		return true
	}), err
}

// PersonErased counts the rows from which a person was removed.
type PersonErased struct {
	Requests int64 // inquiries, with their messages
	Demand   int64
	Contacts int64

	Reservations int64 // that stay, without their author
}

// ErasePerson removes what is stored with an e-mail address, and the author of
// reservations with this address or name. An open inquiry is
// withdrawn; of each inquiry the identifiers, the site, the states and their
// times remain. A buyer's request is no longer published. An account remains
// without its contact, because keys, grants and signed records refer to it.
// Statements are separate: called again after a failure, ErasePerson continues.
func (s *Store) ErasePerson(ctx context.Context, email, name string, openStates []string, to, at string) (PersonErased, error) {
	var done PersonErased
	const withdraw = `UPDATE requests SET state = ?2, state_since = ?3, updated_at = ?3, moves = moves + 1, moved_by = 'operator', move_reason = '' `
	inState := "AND state IN (SELECT value FROM json_each(?4) AS j) RETURNING request_id"
	if _, err := s.execCount(ctx, write("withdraw requests", withdraw+sameEmail("buyer_email")+inState, email, to, at, joinList(openStates))); err != nil {
		return done, err
	}
	erase := "UPDATE requests SET " + erasedColumns("?2") + sameEmail("buyer_email") + "RETURNING request_id"
	var err error
	if done.Requests, err = s.execCount(ctx, write("erase requests", erase, email, at)); err != nil {
		return done, err
	}
	const demand = `UPDATE demand SET opted_in = 0, buyer_display = '', buyer_name = '', buyer_email = '', saved_search = '', pipeline_stage = '',
		private_notes = '', changed_at = CASE WHEN changed_at > ?2 THEN changed_at ELSE ?2 END `
	if done.Demand, err = s.execCount(ctx, write("erase demand", demand+sameEmail("buyer_email")+"RETURNING demand_id", email, at)); err != nil {
		return done, err
	}
	for _, erase := range []struct {
		query string
		args  []any
	}{
		{"UPDATE publishers SET contact_name = '', contact_email = '' " + sameEmail("contact_email") + "RETURNING publisher_id", []any{email}},
		{"UPDATE partners SET contact_email = '', changed_at = CASE WHEN changed_at > ?2 THEN changed_at ELSE ?2 END " + sameEmail("contact_email") + "RETURNING org_id", []any{email, at}},
		{"UPDATE buyers SET contact_email = '', changed_at = CASE WHEN changed_at > ?2 THEN changed_at ELSE ?2 END " + sameEmail("contact_email") + "RETURNING buyer_id", []any{email, at}},
	} {
		n, err := s.execCount(ctx, write("erase contacts", erase.query, erase.args...))
		if err != nil {
			return done, err
		}
		done.Contacts += n
	}
	reservations, err := s.reservationsBy(ctx, email, name)
	if err != nil || len(reservations) == 0 {
		return done, err
	}
	ids := make([]string, len(reservations))
	for i := range reservations {
		ids[i] = reservations[i].ReservationID
	}
	const authors = `UPDATE content_reservations SET author_display = '', author_name = '', private_notes = '',
		changed_at = CASE WHEN changed_at > ?2 THEN changed_at ELSE ?2 END WHERE reservation_id IN (SELECT value FROM json_each(?1) AS j) RETURNING reservation_id`
	done.Reservations, err = s.execCount(ctx, write("erase authors", authors, joinList(ids), at))
	return done, err
}

// erasedColumns returns the assignments that remove personal data from a
// request at an instant.
func erasedColumns(at string) string {
	return `erased_at = ` + at + `, key_scope = NULL, idempotency_key = NULL, fingerprint = '', dedupe = '', buyer_name = '',
		buyer_email = '', buyer_company = '', intended_use = '', requested_scope = '', budget_range = '', timeline = '', message = '',
		budget_cents = -1, term_months = -1, currency = '', agent = '', ext = '', intent_digest = '', token_hash = '' `
}
