// Package auth finds who calls, by the credential that a request brings or the
// secret that an address holds. Each kind is found by the digest of its secret; an
// unknown one and a wrong one are refused alike.
package auth

import (
	"context"
	"time"

	"colophon/internal/origin"
	"colophon/worker/limit"
)

// Service finds credentials. A nil store means that those it would hold cannot be
// presented here.
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
