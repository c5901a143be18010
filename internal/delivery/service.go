// Package delivery hands licensed items to buyers. Every answer is made from
// the rights at that moment: a listing of what a buyer may have now, or a
// delta, which is the difference between that and what the buyer was last told.
// Nothing is delivered without a permit of internal/rights.
//
// What a buyer was told is stored as one row for each item, its newest event.
// Before a delta is answered, those rows are compared with live rights, and
// each difference becomes a new event with the next number of the buyer's own
// sequence. So a revocation, an edit or a withdrawal needs no writer of events,
// and an old event of an item that is gone cannot be replayed, because it no
// longer exists.
package delivery

import (
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"colophon/exports"
	"colophon/internal/credential"
	"colophon/internal/origin"
	"colophon/internal/record"
	"colophon/internal/rights"
	"colophon/internal/ulid"
)

// Service answers requests for items.
type Service struct {
	Buyers origin.BuyerReader
	Store  origin.Delivery
	Bodies rights.Bodies
	Now    func() time.Time
	Rand   io.Reader
	Signer record.Signer // nil if checkpoints are not signed
	Budget Budget        // zero: no bounds but those of the endpoints
}

// Budget bounds the work of one answer where memory or queries are scarce, as
// at the edge. An answer that reaches a bound ends early and says where to
// continue.
type Budget struct {
	Rows   int   // rows compared or looked through
	Bodies int   // bodies read
	Bytes  int64 // bytes of content
	Leaves int64 // items that a snapshot lists and a root is computed over
}

// isSpent reports whether an answer has used up a bound.
func (b *Budget) isSpent(rows, bodies int, bytes int64) bool {
	return b.Rows > 0 && rows >= b.Rows || b.Bodies > 0 && bodies >= b.Bodies || b.Bytes > 0 && bytes >= b.Bytes
}

// Errors that have a code.
var (
	ErrCredential   = errors.New("the credential has ended")
	ErrInactive     = errors.New("no active grant")
	ErrCursor       = errors.New("the cursor is not one of this query")
	ErrSince        = errors.New("the cursor is not one of a delta")
	ErrExpired      = errors.New("the cursor has expired")
	ErrSnapshotGone = errors.New("the snapshot is gone")
	ErrBusy         = errors.New("the comparison with live rights is not finished")
	ErrKeyReused    = errors.New("the key was used for another snapshot")
	ErrTooMany      = errors.New("more items than a snapshot can list here")
)

// Session is one request of a buyer, with the rights as last read.
type Session struct {
	*Service
	Buyer      origin.Buyer
	Grants     []origin.Grant
	credential string // id of the caller's credential
	began      time.Time
	at         time.Time // when the rights were read
	entropy    [10]byte
}

// Begin begins a session for the holder of a credential whose rights were read
// with it at an instant. It returns ErrCredential if the credential has ended,
// and ErrInactive if its buyer is not active.
func (d *Service) Begin(ctx context.Context, access *origin.Access, at time.Time) (*Session, error) {
	s := &Session{Service: d, credential: access.Credential.CredentialID, began: d.Now(), at: at}
	if _, err := io.ReadFull(d.Rand, s.entropy[:]); err != nil {
		return nil, err
	}
	if err := s.takeAccess(access); err != nil {
		return nil, err
	}
	if err := s.renewRights(ctx); err != nil {
		return nil, err
	}
	if s.Buyer.State != "active" {
		return nil, ErrInactive
	}
	return s, nil
}

// answerLife is how long an answer continues to begin items. It then ends with
// a cursor, before its host cuts it off at five minutes.
const answerLife = 4*time.Minute + 30*time.Second

// isExpired reports whether the answer has lasted as long as it may.
func (s *Session) isExpired() bool { return s.Now().Sub(s.began) >= answerLife }

// readRights reads the rights of the buyer as they are now. It returns
// ErrCredential if the credential has ended since, which ends the session.
func (s *Session) readRights(ctx context.Context) error {
	s.at = s.Now()
	access, err := s.Buyers.Access(ctx, s.credential)
	if isMissing(err) {
		return ErrCredential
	}
	if err != nil {
		return err
	}
	return s.takeAccess(&access)
}

// takeAccess keeps the rights that were just read.
func (s *Session) takeAccess(access *origin.Access) error {
	if credential.CredentialState(&access.Credential.Credential, exports.Instant(s.at)) != "active" {
		return ErrCredential
	}
	s.Buyer, s.Grants = access.Buyer, access.Grants
	return nil
}

// renewRights reads the rights again if they were read longer ago than a permit
// lasts, for instance because a client reads slowly.
func (s *Session) renewRights(ctx context.Context) error {
	if s.Now().Sub(s.at) <= rights.PermitLife {
		return nil
	}
	return s.readRights(ctx)
}

// itemsByID returns pages as they are now, by entry id.
func (s *Session) itemsByID(ctx context.Context, ids []string) (map[string]*origin.Item, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	items, err := s.Store.ItemsByID(ctx, ids)
	return byID(items), err
}

func byID(items []origin.Item) map[string]*origin.Item {
	out := make(map[string]*origin.Item, len(items))
	for i := range items {
		out[items[i].EntryID] = &items[i]
	}
	return out
}

func isMissing(err error) bool { return errors.Is(err, origin.ErrNotFound) }

// Decision returns a new id for a decision.
func (s *Session) Decision() string {
	for i := len(s.entropy) - 1; i >= 0; i-- {
		if s.entropy[i]++; s.entropy[i] != 0 {
			break
		}
	}
	return exports.PrefixDecision + ulid.Encode(s.at.UnixMilli(), s.entropy)
}

// activeGrants returns the grants that are active now; if sources are given,
// only those among them or for one of their sites.
func (s *Session) activeGrants(sources []string) []*origin.Grant {
	at := exports.Instant(s.at)
	var out []*origin.Grant
	for i := range s.Grants {
		g := &s.Grants[i]
		if rights.InForce(g, at) && fromSources(sources, []string{g.GrantID}, g.Sites...) {
			out = append(out, g)
		}
	}
	return out
}

// fromSources reports whether one of the grants or sites is asked for.
func fromSources(sources, grants []string, sites ...string) bool {
	for _, x := range sources {
		if slices.Contains(grants, x) || slices.Contains(sites, x) {
			return true
		}
	}
	return len(sources) == 0
}

// decideItem decides about one item.
func (s *Session) decideItem(item *origin.Item, use exports.Use) (p rights.Permit, denial string) {
	return rights.Check(&rights.Claim{Buyer: &s.Buyer, Credential: s.credential, Grants: s.Grants, Item: item, Use: use, At: s.at, Decision: s.Decision()})
}

// decideAgain decides again about an item whose permit no longer opened anything.
func (s *Session) decideAgain(ctx context.Context, entryID string, use exports.Use) (p rights.Permit, denial string, err error) {
	if err := s.readRights(ctx); err != nil {
		return rights.Permit{}, "", err
	}
	items, err := s.Store.ItemsByID(ctx, []string{entryID})
	if err != nil {
		return rights.Permit{}, "", err
	}
	if len(items) == 0 {
		return rights.Permit{}, "entry_withdrawn", nil
	}
	p, denial = s.decideItem(&items[0], use)
	return p, denial, nil
}

// readBody reads the body of an item, by the given permit or, if that no longer
// opens it, by a new one. It returns the item, or the reason why there is none.
func (s *Session) readBody(ctx context.Context, p rights.Permit, form string) (item *exports.Item, denial string, err error) {
	for try := 0; ; try++ {
		content, err := s.Bodies.Body(ctx, p, form)
		if err == nil {
			item := p.WithBody(content)
			return &item, "", nil
		}
		if !errors.Is(err, rights.ErrNotPermitted) {
			return nil, "", err
		}
		if try == 2 {
			return nil, "scope_changed", nil
		}
		next, denial, err := s.decideAgain(ctx, p.Entry(), p.Use())
		if err != nil || denial != "" {
			return nil, denial, err
		}
		p = next
	}
}

// newTombstone returns the tombstone of an item that may no longer be held.
// behind names the grants that were in force for it.
func (s *Session) newTombstone(entryID, reason string, behind []string) exports.Tombstone {
	at := exports.Instant(s.at)
	effective, hours := endOfRight(s.Grants, behind, at)
	return exports.Tombstone{ItemID: exports.ItemID(entryID), Reason: reason, EffectiveAt: effective, MustDeleteBy: hoursAfter(effective, hours)}
}

// endOfRight returns when a right ended, and within how many hours what was
// held under it must be deleted: the last of the grants behind it counts, and
// of those that ended together the strictest. If behind is empty, all grants
// count.
func endOfRight(grants []origin.Grant, behind []string, at string) (string, int64) {
	effective, hours := "", int64(72)
	for i := range grants {
		g := &grants[i]
		if len(behind) > 0 && !slices.Contains(behind, g.GrantID) {
			continue
		}
		end := at
		if g.State != "active" {
			end = min(end, g.StateAt)
		}
		if g.ValidUntil != "" {
			end = min(end, g.ValidUntil)
		}
		own := rights.DeleteHours(g)
		if end > effective || end == effective && own < hours {
			effective, hours = end, own
		}
	}
	if effective == "" {
		effective = at
	}
	return effective, hours
}

func hoursAfter(at string, hours int64) string {
	t, ok := exports.ParseInstant(at)
	if !ok {
		return at
	}
	return exports.Instant(t.Add(time.Duration(hours) * time.Hour))
}
