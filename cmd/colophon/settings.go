package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"colophon/exports"
	"colophon/generator"
	"colophon/generator/brand"
	"colophon/internal/notify/email"
	"colophon/internal/segment"
	"colophon/internal/server"
)

// settings is the file colophon.toml.
type settings struct {
	Name    string `toml:"name" comment:"Name of the service, shown on every page."`
	BaseURL string `toml:"base_url" comment:"Public address, without a final slash. It stands in signed records."`
	Contact string `toml:"contact" comment:"Where site owners can reach the operator; the importer sends it in its User-Agent."`
	Origin  string `toml:"origin,omitempty" comment:"Database that holds the origin: postgres://user@host/database without a password, or d1:ACCOUNT_ID/DATABASE_ID. Without it, the origin is in this folder."`
	Out     string `toml:"out" comment:"Folder of the published files, relative to this one."`

	Form           string `toml:"form,omitempty" comment:"How entries are published: files or segments. Without it a build goes on as the folder is published; the first one takes files, and segments above 20,000 entries."`
	SegmentProfile string `toml:"segment_profile,omitempty" comment:"pages for servers that send whole files, packs for those that send ranges. Without it as the folder is published, or pages."`

	LiveLook  bool             `toml:"live_look,omitempty" comment:"The check page may look at sites that nobody registered, when somebody presses the button; the native server only."`
	ProofBits int              `toml:"proof_bits,omitempty" comment:"Difficulty of the proof of work for addresses that have used half of their hourly quota of inquiries: leading zero bits, 18 without it."`
	Limits    map[string]int64 `toml:"limits,omitempty" comment:"Calls of rate quotas that differ from the defaults, by their names in the RateLimit headers: inquiry = 10."`

	Brand  brand.Config  `toml:"brand,omitempty"`
	Server server.Config `toml:"server,omitempty"`
	Mail   email.Config  `toml:"mail,omitempty"`

	Quorum    int       `toml:"witness_quorum,omitempty" comment:"Number of witnesses that must cosign the ledger; with fewer the build fails and nothing is published. Without it none is required."`
	Witnesses []witness `toml:"witness,omitempty"`
}

// witness is a party that cosigns the ledger.
type witness struct {
	Key string `toml:"vkey" comment:"Verifier key, as the witness publishes it."`
	URL string `toml:"url" comment:"Submission prefix, without a final slash."`
}

const settingsFile = "colophon.toml"

func (e *env) registryPath(name string) string { return filepath.Join(e.dir, name) }

// readSettings reads colophon.toml strictly: an unknown key is an error that
// shows the line.
func (e *env) readSettings() (settings, error) {
	s := defaultSettings()
	s.Server = server.Config{} // flags go before defaults there
	data, err := os.ReadFile(e.registryPath(settingsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return s, fmt.Errorf("there is no %s in %q; make one with \"colophon init --dir %s\"", settingsFile, e.dir, e.dir)
	}
	if err != nil {
		return s, err
	}
	dec := toml.NewDecoder(strings.NewReader(string(data))).DisallowUnknownFields()
	if err := dec.Decode(&s); err != nil {
		var strict *toml.StrictMissingError
		if errors.As(err, &strict) {
			return s, fmt.Errorf("%s has a setting that is not known: %s", e.registryPath(settingsFile), strings.Join(strict.Errors[0].Key(), "."))
		}
		return s, fmt.Errorf("%s: %w", e.registryPath(settingsFile), err)
	}
	if v := e.getenv("COLOPHON_BASE_URL"); v != "" {
		s.BaseURL = v
	}
	if err := e.readMailSettings(&s.Mail); err != nil {
		return s, fmt.Errorf("%s: %w", e.registryPath(settingsFile), err)
	}
	if _, err := s.rateLimits(); err != nil {
		return s, fmt.Errorf("%s: %w", e.registryPath(settingsFile), err)
	}
	if s.ProofBits < 0 || s.ProofBits > 30 {
		return s, fmt.Errorf("%s: proof_bits is %d, not between 1 and 30", e.registryPath(settingsFile), s.ProofBits)
	}
	if s.Form != "" && !slices.Contains(generator.Forms, s.Form) {
		return s, fmt.Errorf("%s: form is %q, neither files nor segments", e.registryPath(settingsFile), s.Form)
	}
	if s.SegmentProfile != "" && !segment.Profile(s.SegmentProfile).Valid() {
		return s, fmt.Errorf("%s: segment_profile is %q, neither pages nor packs", e.registryPath(settingsFile), s.SegmentProfile)
	}
	s.BaseURL, err = checkBaseURL(s.BaseURL)
	return s, err
}

// brandFolder holds the logo and the texts of the operator.
const brandFolder = "brand"

// readBrand checks the brand and reads its files.
func (e *env) readBrand(s settings) (brand.Brand, error) {
	b, err := brand.Read(s.Brand, s.Contact, func(name string) ([]byte, error) {
		if name != filepath.Base(name) || !filepath.IsLocal(name) {
			return nil, fmt.Errorf("%q is not the name of a file in the folder %q", name, e.registryPath(brandFolder))
		}
		return os.ReadFile(filepath.Join(e.registryPath(brandFolder), name))
	})
	if err != nil {
		err = fmt.Errorf("%s: %w", e.registryPath(settingsFile), err)
	}
	return b, err
}

// rateLimits are the rate policies with the quotas of the settings.
func (s settings) rateLimits() ([]exports.RatePolicy, error) {
	var words []string
	for name, calls := range s.Limits {
		words = append(words, name+"="+strconv.FormatInt(calls, 10))
	}
	slices.Sort(words)
	return exports.Limits(strings.Join(words, " "))
}

// checkBaseURL accepts scheme and host only, so that paths can be appended.
func checkBaseURL(raw string) (string, error) {
	u, err := url.Parse(strings.TrimSuffix(raw, "/"))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.Path != "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return "", usage("the base URL %q must be http(s)://host[:port] and nothing more", raw)
	}
	return u.Scheme + "://" + u.Host, nil
}

func (e *env) writeSettings(s settings) error {
	data, err := toml.Marshal(s)
	if err != nil {
		return err
	}
	return writeFile(e.registryPath(settingsFile), data, 0o644)
}

// writeFile writes a file whole or not at all.
func writeFile(path string, data []byte, mode os.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if err := f.Chmod(mode); err != nil {
		return errors.Join(err, f.Close())
	}
	if _, err := f.Write(data); err != nil {
		return errors.Join(err, f.Close())
	}
	if err := f.Sync(); err != nil {
		return errors.Join(err, f.Close())
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
