package delivery

import (
	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/rights"
)

// scope is the part of a buyer's feed that a snapshot covers.
type scope struct {
	sources []string
	topic   topic
	uses    int64
}

// retrievalUses is the scope of a delta without snapshot: everything that may be used
// for retrieval.
var retrievalUses = rights.UseBits([]string{string(exports.UseRAG)})

func scopeOf(x *origin.Snapshot) scope {
	if x == nil {
		return scope{uses: retrievalUses}
	}
	return scope{x.Sources, topicOf(x.Topic), x.Uses}
}

// useInScope returns a use of the scope for which an item may be delivered, or
// the reason why there is none.
func (s *Session) useInScope(sc scope, item *origin.Item) (exports.Use, string) {
	check := rights.CheckGrants(&s.Buyer, s.Grants, item, exports.Instant(s.at), nil)
	if check.Reason != "" {
		return "", check.Reason
	}
	common := check.Uses & sc.uses
	if common == 0 || !fromSources(sc.sources, check.IDs(), item.SiteID) || !sc.topic.matchesItem(item) {
		return "", "scope_changed"
	}
	return exports.Use(rights.UseList(common)[0]), ""
}

// holdsItem reports whether a held item is in the scope, as far as its row
// shows: to match the topic, the item itself is needed.
func (sc *scope) holdsItem(h *origin.Holding) bool {
	return h.Uses&sc.uses != 0 && fromSources(sc.sources, h.Grants, h.SiteID)
}
