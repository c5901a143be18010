package registrydir

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"

	"colophon/internal/originsql"
)

// SecretFile holds the key of derived tokens and challenges, readable by its
// owner only.
const SecretFile = "secret"

// LoadSecret returns the service's secret, and creates it on the first call.
func (d *Dir) LoadSecret() ([]byte, error) {
	path := d.File(SecretFile)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return d.newSecret(path)
	case err != nil:
		return nil, err
	case isOpen(runtime.GOOS, info.Mode()):
		return nil, fmt.Errorf("the secret %q can be read by others (mode %04o); remove it to make a new one (open conversations then need new tokens)", path, info.Mode().Perm())
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	key, err := base64.RawURLEncoding.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(key) < 32 {
		return nil, fmt.Errorf("the secret %q is damaged; remove it to make a new one", path)
	}
	return key, nil
}

func (d *Dir) newSecret(path string) ([]byte, error) {
	key := make([]byte, 32)
	if _, err := rand.Read(key); err != nil {
		return nil, err
	}
	err := WriteFile(path, []byte(base64.RawURLEncoding.EncodeToString(key)+"\n"), 0o600)
	if err != nil && errors.Is(probeFolder(d.Path), originsql.ErrReadOnly) {
		return key, nil // a registry that cannot be written takes no requests, so no token outlives the process
	}
	return key, err
}
