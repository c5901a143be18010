// Package auth finds the caller by the credential in a request or the secret in
// an address. Each kind is looked up by the digest of its secret; unknown and
// wrong ones are refused alike.
package auth

import (
	"context"
	"time"

	"colophon/internal/origin"
	"colophon/worker/limit"
)

// Service finds credentials. If a store is nil, its kind of credential cannot
// be presented.
type Service struct {
	Partners      origin.PartnerKeys
	Buyers        origin.BuyerReader
	Inboxes       origin.InboxLinks
	Joins         origin.Joins
	Conversations Conversations
	Limits        *limit.Limits // of refused tokens of conversations
	Secret        []byte        // key of derived tokens
	Now           func() time.Time
}

// Conversations finds the requests of conversations and extends their tokens.
type Conversations interface {
	RequestByThread(ctx context.Context, threadID string) (origin.Request, error)
	ReplaceToken(ctx context.Context, threadID, oldHash, newHash, expires string) (bool, error)
}
