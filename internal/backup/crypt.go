package backup

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"filippo.io/age"
)

// ErrKey means that a backup cannot be decrypted with what was given.
var ErrKey = errors.New("the backup cannot be decrypted")

// Recipients reads whom a backup is encrypted to: age recipients, or one
// passphrase. Both at once are refused, for age cannot mix them.
func Recipients(recipients []string, passphrase string) ([]age.Recipient, error) {
	if passphrase != "" && len(recipients) > 0 {
		return nil, errors.New("give age recipients or a passphrase, not both")
	}
	if passphrase != "" {
		r, err := age.NewScryptRecipient(passphrase)
		if err != nil {
			return nil, err
		}
		return []age.Recipient{r}, nil
	}
	if len(recipients) == 0 {
		return nil, errors.New("a backup holds keys and personal data: give an age recipient or a passphrase to encrypt it to")
	}
	list, err := age.ParseRecipients(strings.NewReader(strings.Join(recipients, "\n")))
	if err != nil {
		return nil, fmt.Errorf("a recipient is not valid: %w", err)
	}
	return list, nil
}

// Identities reads what decrypts a backup: a file of age identities, or a
// passphrase.
func Identities(file, passphrase string) ([]age.Identity, error) {
	if passphrase != "" && file != "" {
		return nil, errors.New("give an identity file or a passphrase, not both")
	}
	if passphrase != "" {
		id, err := age.NewScryptIdentity(passphrase)
		if err != nil {
			return nil, err
		}
		return []age.Identity{id}, nil
	}
	if file == "" {
		return nil, errors.New("a backup is encrypted: give the file of the age identity, or the passphrase")
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	list, err := age.ParseIdentities(f)
	if err != nil {
		return nil, fmt.Errorf("the identity file %q is not valid: %w", file, err)
	}
	return list, nil
}
