package inquiry

import (
	"strings"

	"colophon/internal/origin"
)

// LetterToken returns the second token of a conversation: that of the links in
// letters, of which nothing is kept. It opens what the first one opens and ends
// with it, when that is replaced or expires; another secret of the service ends
// it too.
func LetterToken(secret []byte, r *origin.Request) string {
	return PrefixToken + Sealed(secret, "colophon.letter-conversation.v1", r.RequestID, r.TokenHash)
}

// OpensConversation reports whether a token is one of the two of a conversation.
// The second exists once an address was confirmed.
func OpensConversation(secret []byte, r *origin.Request, token string) bool {
	first := Same(r.TokenHash, Digest(token))
	second := Same(LetterToken(secret, r), token)
	told := r.Letters == origin.LettersConfirmed || r.Letters == origin.LettersEnded
	return first || second && told && r.TokenHash != ""
}

// LetterKey returns the secret of the page on which the owner of an address
// says which letters to send there. Receiver is the id of a request or a
// webhook.
func LetterKey(secret []byte, receiver, address string) string {
	return Sealed(secret, "colophon.letters.v1", receiver, strings.ToLower(strings.TrimSpace(address)))
}
