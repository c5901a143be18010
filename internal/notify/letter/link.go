package letter

import (
	"context"
	"strings"
	"time"

	"colophon/exports"
	"colophon/internal/credential"
	"colophon/internal/notify"
	"colophon/internal/origin"
)

// The life of the inbox link in letters, in days: it is extended when fewer are
// left.
const (
	linkDays  = 90
	linkRenew = 30
)

// LinkStore is where inbox links are kept.
type LinkStore interface {
	// LinksOf lists the links of a site by id.
	LinksOf(ctx context.Context, siteID string) ([]origin.InboxLink, error)
	// PutLink adds or replaces one.
	PutLink(ctx context.Context, l origin.InboxLink) error
}

// Links are the inbox links in letters. The secret of a link is derived from
// the registry's secret, so that every letter to a receiver has the same link
// and the store keeps only its digest.
type Links struct {
	Store   LinkStore
	BaseURL string
	Secret  []byte
	Now     func() time.Time
}

// FindAddress returns the address of the inbox for a receiver, "" if an operator
// took its link back.
func (l Links) FindAddress(ctx context.Context, m notify.Message) (string, error) {
	token := credential.Inbox.Derive(l.Secret, m.Receiver.WebhookID)
	stored := credential.Stored(token, "letters to "+m.Receiver.WebhookID, l.Now())
	link := origin.InboxLink{LinkID: "inb_" + strings.TrimPrefix(m.Receiver.WebhookID, "whk_"), SiteID: m.Receiver.SiteID, Credential: stored}

	known, err := l.Store.LinksOf(ctx, link.SiteID)
	if err != nil {
		return "", err
	}
	for _, k := range known {
		if k.LinkID == link.LinkID {
			link = k
		}
	}
	if link.State != "active" {
		return "", nil
	}
	if link.Hash != stored.Hash { // the registry's secret was replaced
		link.Lookup, link.Hash = stored.Lookup, stored.Hash
		link.ExpiresAt = "" // so that it is written
	}
	if link.ExpiresAt < exports.Instant(l.Now().AddDate(0, 0, linkRenew)) {
		link.ExpiresAt = exports.Instant(l.Now().AddDate(0, 0, linkDays))
		link.ChangedAt = exports.Instant(l.Now())
		if err := l.Store.PutLink(ctx, link); err != nil {
			return "", err
		}
	}
	return l.BaseURL + exports.PathInbox + token, nil
}
