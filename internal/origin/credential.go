package origin

// Credential is the common part of partner keys, buyer credentials and inbox
// links. The secret itself is not stored. The record that contains a credential
// says what it opens.
type Credential struct {
	Lookup    string // first 16 hex digits of Hash, to find it by
	Hash      string // hex SHA-256 of the secret
	Label     string // private: what or for whom it was made
	State     string // active, suspended, revoked
	CreatedAt string
	ExpiresAt string // "" never
	ChangedAt string
}
