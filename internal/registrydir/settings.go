package registrydir

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"colophon/generator"
	"colophon/generator/brand"
	"colophon/internal/notify/email"
	"colophon/internal/server"
	"colophon/internal/usage"
	"colophon/worker/limit"
)

// Settings is the file colophon.toml.
type Settings struct {
	Name    string `toml:"name" comment:"Name of the service, shown on every page."`
	BaseURL string `toml:"base_url" comment:"Public address, without a final slash. It stands in signed records."`
	Contact string `toml:"contact" comment:"Where site owners can reach the operator; the importer sends it in its User-Agent."`
	Origin  string `toml:"origin,omitempty" comment:"Database that holds the origin: postgres://user@host/database without a password, or d1:ACCOUNT_ID/DATABASE_ID. Without it, the origin is in this folder."`
	Out     string `toml:"out" comment:"Folder of the published files, relative to this one."`

	Form     string `toml:"form,omitempty" comment:"How entries are published: files or packs. Without it a build goes on as the folder is published; the first one takes files, and packs above 20,000 entries."`
	PackSize string `toml:"pack_size,omitempty" comment:"How large packs become: small (64 KiB) for servers that send whole files, large (32 MiB) for those that send ranges. Without it as the folder is published, or small."`

	ReadUnregistered bool             `toml:"live_look,omitempty" comment:"Whether the check page offers to look at a page that nobody registered. The native server then fetches the page and its site's channels, once for each press of a button, and keeps nothing."`
	ProofBits        int              `toml:"proof_bits,omitempty" comment:"Difficulty of the proof of work that an address must send beyond half of its hourly quota of licensing requests (inquiry): leading zero bits, 1 to 30. Each bit doubles the work."`
	Limits           map[string]int64 `toml:"limits,omitempty" comment:"Rate quotas that differ from the defaults, by their names in the RateLimit headers, with the number of calls: inquiry = 10."`

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

const SettingsFile = "colophon.toml"

// ReadSettings reads colophon.toml strictly: an unknown key is an error that
// shows the line.
func (d *Dir) ReadSettings() (Settings, error) {
	s := DefaultSettings()
	s.Server = server.Config{} // flags go before defaults there
	data, err := os.ReadFile(d.File(SettingsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return s, fmt.Errorf("there is no %s in %q; make one with \"colophon init --dir %s\"", SettingsFile, d.Path, d.Path)
	}
	if err != nil {
		return s, err
	}
	bad := func(setting string, err error) error { return d.badSetting(data, setting, err) }
	dec := toml.NewDecoder(strings.NewReader(string(data))).DisallowUnknownFields()
	if err := dec.Decode(&s); err != nil {
		return s, bad("", err)
	}
	fromFile := s.BaseURL
	if v := d.Getenv("COLOPHON_BASE_URL"); v != "" {
		s.BaseURL = v
	}
	if err := d.readMailSettings(&s.Mail); err != nil {
		return s, bad("[mail]", err)
	}
	if _, err := s.RateLimits(); err != nil {
		return s, bad("[limits]", err)
	}
	if s.ProofBits < 0 || s.ProofBits > 30 {
		return s, bad("proof_bits", fmt.Errorf("proof_bits is %d, not between 1 and 30", s.ProofBits))
	}
	if s.Form != "" && !slices.Contains(generator.Forms, s.Form) {
		return s, bad("form", fmt.Errorf("form is %q, neither files nor packs", s.Form))
	}
	if _, ok := packSizes[s.PackSize]; s.PackSize != "" && !ok {
		return s, bad("pack_size", fmt.Errorf("pack_size is %q, neither small nor large", s.PackSize))
	}
	base, err := CheckBaseURL(s.BaseURL)
	if err != nil && s.BaseURL == fromFile {
		err = bad("base_url", err)
	}
	s.BaseURL = base
	return s, err
}

// badSetting returns an error with the fault in the settings file, and its
// line: that on which a setting or its table begins, or that of the error
// itself.
func (d *Dir) badSetting(data []byte, setting string, err error) error {
	line := 0
	for i, text := range strings.Split(string(data), "\n") {
		name, _, _ := strings.Cut(text, "=")
		if line == 0 && setting != "" && strings.TrimSpace(name) == setting {
			line = i + 1
		}
	}
	var broken *toml.DecodeError
	if errors.As(err, &broken) {
		line, _ = broken.Position()
	}
	var strict *toml.StrictMissingError
	if errors.As(err, &strict) && len(strict.Errors) > 0 {
		line, _ = strict.Errors[0].Position()
		err = fmt.Errorf("the setting %s is not known", strings.Join(strict.Errors[0].Key(), "."))
	}
	at := d.File(SettingsFile)
	if line > 0 {
		at += ":" + strconv.Itoa(line)
	}
	return fmt.Errorf("%s: %w; correct it, and \"colophon config check\" looks at all settings", at, err)
}

// packSizes are the sizes of packs by their names in the settings.
var packSizes = map[string]int64{"small": generator.SmallPacks, "large": generator.LargePacks}

// PackBytes returns how large packs become, in bytes; 0: that is not set.
func (s *Settings) PackBytes() int64 { return packSizes[s.PackSize] }

// brandFolder holds the logo and the texts of the operator.
const brandFolder = "brand"

// ReadBrand checks the brand and reads its files.
func (d *Dir) ReadBrand(s Settings) (brand.Identity, error) {
	b, err := brand.Read(s.Brand, s.Contact, func(name string) ([]byte, error) {
		if name != filepath.Base(name) || !filepath.IsLocal(name) {
			return nil, fmt.Errorf("%q is not the name of a file in the folder %q", name, d.File(brandFolder))
		}
		return os.ReadFile(filepath.Join(d.File(brandFolder), name))
	})
	if err != nil {
		err = fmt.Errorf("%s: %w", d.File(SettingsFile), err)
	}
	return b, err
}

// RateLimits returns the rate policies with the quotas of the settings.
func (s Settings) RateLimits() ([]limit.Policy, error) {
	var words []string
	for name, calls := range s.Limits {
		words = append(words, name+"="+strconv.FormatInt(calls, 10))
	}
	slices.Sort(words)
	return limit.ParsePolicies(strings.Join(words, " "))
}

// CheckBaseURL accepts scheme and host only, so that paths can be appended.
func CheckBaseURL(raw string) (string, error) {
	u, err := url.Parse(strings.TrimSuffix(raw, "/"))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.Path != "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return "", usage.Errorf("the base URL %q must be http(s)://host[:port] and nothing more", raw)
	}
	return u.Scheme + "://" + u.Host, nil
}

func (d *Dir) WriteSettings(s Settings) error {
	data, err := toml.Marshal(s)
	if err != nil {
		return err
	}
	return WriteFile(d.File(SettingsFile), data, 0o644)
}

// WriteFile writes a file whole or not at all.
func WriteFile(path string, data []byte, mode os.FileMode) error {
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

// OutFolder returns the folder of the published files: as given, or as set,
// which is relative to the folder of the settings; of a dry run, which works on
// a copy of that, to the folder that it is a copy of.
func (d *Dir) OutFolder(s Settings, out string) string {
	if out != "" {
		return out
	}
	if filepath.IsAbs(s.Out) {
		return s.Out
	}
	if d.CopyOf != "" {
		return filepath.Join(d.CopyOf, s.Out)
	}
	return d.File(s.Out)
}

// DefaultSettings returns the settings of an empty colophon.toml.
func DefaultSettings() Settings {
	return Settings{Name: "Colophon", Out: "dist", Server: server.Defaults()}
}

// SaidDefaults are the defaults that no value of a program states.
var SaidDefaults = map[string]string{
	"proof_bits":            "`18`",
	"form":                  "as published; at first `files`, `packs` above 20,000 entries",
	"pack_size":             "as published; at first `small`",
	"limits":                "the rates that are built in",
	"server.log_format":     "`text`",
	"server.log_level":      "`info`",
	"server.trusted_header": "four headers, see its description",
	"server.acme_directory": "Let's Encrypt",
	"server.concurrency":    "`files` 64, `search` 2 and `reads` 4 for each core, `writes` 64, `streams` 64",
	"mail.security":         "`starttls`",
	"brand.accent_dark":     "made from `accent`",
	"brand.contact":         "`contact`",
	"witness_quorum":        "none",
}

// VisitSettings visits the settings of a struct by table, each with its
// description: its own and those of the tables within it. For an empty list it
// visits an empty element.
func VisitSettings(table string, v reflect.Value, visit func(table, name, about string, v reflect.Value)) {
	for i := range v.NumField() {
		field := v.Type().Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("toml"), ",")
		about := field.Tag.Get("comment")
		within := strings.TrimPrefix(table+"."+name, ".")
		switch {
		case name == "-":
		case about == "" && field.Type.Kind() == reflect.Struct:
			VisitSettings(within, v.Field(i), visit)
		case about == "" && field.Type.Kind() == reflect.Slice:
			for n := range v.Field(i).Len() {
				VisitSettings(fmt.Sprintf("%s[%d]", within, n), v.Field(i).Index(n), visit)
			}
			if v.Field(i).Len() == 0 {
				VisitSettings(within, reflect.Zero(field.Type.Elem()), visit)
			}
		default:
			visit(table, name, about, v.Field(i))
		}
	}
}

// readMailSettings reads the password and checks the rest.
func (d *Dir) readMailSettings(c *email.Config) error {
	var err error
	if c.Password, err = d.readMailSecret("COLOPHON_SMTP_PASSWORD", "password_file", c.PasswordFile); err != nil {
		return err
	}
	if c.Key, err = d.readMailSecret("COLOPHON_MAIL_KEY", "key_file", c.KeyFile); err != nil {
		return err
	}
	if c.User == "" {
		c.Password = "" // of another program's server
	}
	return c.Validate()
}

// readMailSecret reads a secret from the environment, or else from the file that
// a setting names, "" without both.
func (d *Dir) readMailSecret(variable, setting, path string) (string, error) {
	if text := d.Getenv(variable); text != "" || path == "" {
		return text, nil
	}
	if !filepath.IsAbs(path) {
		path = d.File(path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("%w: %s: %w", email.ErrConfig, setting, err)
	}
	return strings.TrimSpace(string(data)), nil
}
