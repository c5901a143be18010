package inquiry

import (
	"strings"

	"colophon/internal/credential"
	"colophon/internal/origin"
)

// LetterToken returns the second token of a conversation, which is in the links
// of letters and is not stored. It opens what the first token opens. It becomes
// invalid when the first one is replaced or expires, or when the service's
// secret changes.
func LetterToken(secret []byte, r *origin.Request) string {
	return credential.LetterConversation.Derive(secret, r.RequestID, r.TokenHash)
}

// OpensConversation reports whether a token is one of the two of a conversation.
// The second exists once an address was confirmed.
func OpensConversation(secret []byte, r *origin.Request, token string) bool {
	first := credential.Same(r.TokenHash, credential.Digest(token))
	second := credential.Same(LetterToken(secret, r), token)
	told := r.Letters == origin.LettersConfirmed || r.Letters == origin.LettersEnded
	return first || second && told && r.TokenHash != ""
}

// LetterKey returns the secret of the page on which the owner of an address
// chooses which letters to receive. receiver is the id of a request or a
// webhook.
func LetterKey(secret []byte, receiver, address string) string {
	return credential.Letters.Derive(secret, receiver, strings.ToLower(strings.TrimSpace(address)))
}
