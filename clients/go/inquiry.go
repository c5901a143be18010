package colophon

import (
	"context"
	"net/http"

	"colophon/clients/go/api"
)

// CreateRequest sends a licensing inquiry to one publisher. It creates an
// inquiry and grants no rights. key comes from NewIdempotencyKey; if it is "",
// CreateRequest makes one, which protects the retries of this call only. The
// token in the receipt opens the conversation; only a retry with the same key
// returns it again. If the registry asks a busy caller for a proof of work, the
// client computes and sends it.
func (c *Client) CreateRequest(ctx context.Context, body api.PublicRequest, key string) (*api.RequestReceipt, error) {
	key = orFresh(key)
	return withProof(ctx, func(proof *string) (*api.RequestReceipt, error) {
		return Read[api.RequestReceipt](c.API.CreateRequest(ctx, &api.CreateRequestParams{IdempotencyKey: &key, ServiceProof: proof}, body))
	})
}

// CreatePartnerRequest is CreateRequest for partners. It needs a partner key.
func (c *Client) CreatePartnerRequest(ctx context.Context, body api.PartnerRequest, key string) (*api.PartnerView, error) {
	params := &api.PartnerCreateRequestParams{IdempotencyKey: orFresh(key)}
	return Read[api.PartnerView](c.API.PartnerCreateRequest(ctx, params, body))
}

// CreateSnapshot creates a snapshot, from which a buyer begins a mirror of the
// items that the buyer may hold. It needs a buyer's credential.
func (c *Client) CreateSnapshot(ctx context.Context, body api.Snapshot, key string) (*api.SnapshotCreated, error) {
	key = orFresh(key)
	return Read[api.SnapshotCreated](c.API.DeliverySnapshot(ctx, &api.DeliverySnapshotParams{IdempotencyKey: &key}, body))
}

// Conversation returns the newest messages about an inquiry, and its state.
func (c *Client) Conversation(ctx context.Context, threadID, token string) (*api.Conversation, error) {
	return Read[api.Conversation](c.API.GetConversation(ctx, threadID, &api.GetConversationParams{}, WithConversation(token)))
}

// PostMessage adds a message, which binds nobody. It sets ClientMessageId if
// that is missing, so that a retry adds no second message.
func (c *Client) PostMessage(ctx context.Context, threadID, token string, body api.Message) (*api.PostedMessage, error) {
	if body.ClientMessageId == nil {
		id := NewIdempotencyKey()
		body.ClientMessageId = &id
	}
	return Read[api.PostedMessage](c.API.PostMessage(harmless(ctx), threadID, body, WithConversation(token)))
}

// WithConversation sends the token of a conversation with one request.
func WithConversation(token string) api.RequestEditorFn {
	return func(_ context.Context, req *http.Request) error {
		req.Header.Set("X-Conversation-Token", token)
		return nil
	}
}

func orFresh(key string) string {
	if key == "" {
		return NewIdempotencyKey()
	}
	return key
}
