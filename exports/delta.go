package exports

import "colophon/internal/wire"

// Upsert is the line of a delta that delivers an item, new or as it is now.
type Upsert struct {
	Change   string // added, updated, regranted
	Sequence int64
	Cursor   string
	Item     Item
}

func (u *Upsert) Members(m *wire.Members) {
	m.Enum("change", &u.Change, "added", "updated", "regranted")
	m.String("cursor", &u.Cursor)
	m.Object("item", &u.Item)
	m.Int("sequence", &u.Sequence)
	m.Const("type", "upsert")
}

// Tombstone says that a buyer may no longer hold an item. It gives only the
// item's id.
type Tombstone struct {
	ItemID       string
	Reason       string
	EffectiveAt  string
	MustDeleteBy string
	Sequence     int64 // 0 outside a delta
	Cursor       string
}

func (t *Tombstone) Members(m *wire.Members) {
	applies := []string{"content", "embeddings", "index", "cache"}
	m.Strings("applies_to", &applies)
	m.OptString("cursor", &t.Cursor)
	m.Time("effective_at", &t.EffectiveAt)
	m.String("item_id", &t.ItemID)
	m.Time("must_delete_by", &t.MustDeleteBy)
	m.Enum("reason", &t.Reason, EndReasons...)
	m.OptInt("sequence", &t.Sequence)
	m.Const("type", "tombstone")
}

// RightsChange is the line of a delta that reports other terms for an item
// whose content is unchanged.
type RightsChange struct {
	ItemID   string
	Sequence int64
	Cursor   string
	GrantID  string
	Uses     []string
	Removed  []string
}

func (r *RightsChange) Members(m *wire.Members) {
	m.String("cursor", &r.Cursor)
	m.String("item_id", &r.ItemID)
	m.Nested("rights", func(m *wire.Members) {
		m.String("grant_id", &r.GrantID)
		m.Words("removed_uses", &r.Removed, UseWords()...)
		m.Words("uses", &r.Uses, UseWords()...)
	})
	m.Int("sequence", &r.Sequence)
	m.Const("type", "rights")
}

// Checkpoint ends a delta. A buyer that has applied every line up to a complete
// checkpoint holds exactly the items of which it gives the Merkle root.
type Checkpoint struct {
	BuyerID   string
	Snapshot  string // scope, "" the whole feed
	Sequence  int64
	Cursor    string
	Complete  bool // false: ask again with the cursor
	HeldItems int64
	Root      string // base64, "" when not complete
	At        string
	KeyID     string // key of the signature, "" if unsigned
	Signature string // base64url, "" if unsigned
}

// CheckpointContext separates the domain of checkpoint signatures.
const CheckpointContext = "service.delivery-checkpoint.v1\n"

// SigningInput returns what the signature covers: CheckpointContext, then the
// line less signature_b64u.
func (c *Checkpoint) SigningInput() []byte {
	bare := *c
	bare.Signature = ""
	line := wire.Append(nil, &bare)
	v, err := wire.Parse(line, wire.Trusted)
	if err != nil {
		return nil
	}
	return v.Without("signature_b64u").Append([]byte(CheckpointContext))
}

func (c *Checkpoint) Members(m *wire.Members) {
	m.Time("at", &c.At)
	m.String("buyer_id", &c.BuyerID)
	m.Bool("complete", &c.Complete)
	m.String("cursor", &c.Cursor)
	m.Const("deletion_support", "persistent")
	m.Const("hash", "rfc6962-sha256")
	m.OptString("key_id", &c.KeyID)
	m.Int("live_items", &c.HeldItems)
	m.NullString("root", &c.Root)
	m.Int("sequence", &c.Sequence)
	m.NullString("signature_b64u", &c.Signature)
	m.OptString("snapshot_id", &c.Snapshot)
	m.Const("type", "checkpoint")
}

// Withheld is an item whose right ended while it was being delivered.
type Withheld struct {
	Type   string // "withheld" on a line of a feed, "" elsewhere
	ItemID string
	Reason string
	Cursor string // "" outside a feed
}

func (w *Withheld) Members(m *wire.Members) {
	m.OptString("cursor", &w.Cursor)
	m.String("item_id", &w.ItemID)
	m.Enum("reason", &w.Reason, EndReasons...)
	m.OptString("type", &w.Type)
}

// FeedEnd is the last line of a feed. An answer without it was cut off.
type FeedEnd struct {
	Count      int64
	NextCursor string
}

func (e *FeedEnd) Members(m *wire.Members) {
	m.Flag("complete", true)
	m.Int("count", &e.Count)
	m.NullString("next_cursor", &e.NextCursor)
	m.Const("type", "end")
}
