package origin

// Credential is what keys of partners, credentials of buyers and links to
// inboxes have alike. The secret itself is nowhere stored. What a credential is
// good for is told by the record that it stands in.
type Credential struct {
	Lookup    string // first 16 hex digits of Hash, to find it by
	Hash      string // hex SHA-256 of the secret
	Label     string // private: what or for whom it was made
	State     string // active, suspended, revoked
	CreatedAt string
	ExpiresAt string // "" never
	ChangedAt string
}
