package registrydir

import (
	"os"
	"strings"
	"testing"
)

// TestListSettingsNamesSources checks that a flag comes before an environment
// variable, that before the file, and that before the default.
func TestListSettingsNamesSources(t *testing.T) {
	variables := map[string]string{"COLOPHON_DIR": "elsewhere", "COLOPHON_BASE_URL": "https://other.example"}
	d := &Dir{Path: t.TempDir(), Getenv: func(name string) string { return variables[name] }}
	must(t, os.WriteFile(d.File(SettingsFile), []byte("name = \"Harbor\"\nbase_url = \"https://registry.example\"\n[server]\nmax_bodies = 7\n"), 0o600))
	for given, dirFrom := range map[string]string{"dir": "--dir", "none": "$COLOPHON_DIR"} {
		list, err := d.ListSettings(func(flag string) bool { return flag == given })
		must(t, err)
		want := map[string]string{
			"dir": d.Path + " " + dirFrom, "name": "Harbor colophon.toml", "base_url": "https://other.example $COLOPHON_BASE_URL", "out": "dist default",
			"server.max_bodies": "7 colophon.toml", "proof_bits": "18 default",
		}
		for _, s := range list {
			if w, asked := want[s.Name]; asked && w != SettingText(s.Value)+" "+s.From {
				t.Errorf("%s is %v from %s, want %q", s.Name, s.Value, s.From, w)
			}
			delete(want, s.Name)
		}
		if len(want) > 0 {
			t.Errorf("not listed: %v", want)
		}
	}
}

// TestCheckSettingsReturnsAllFaults checks that one fault does not hide another.
func TestCheckSettingsReturnsAllFaults(t *testing.T) {
	d := &Dir{Path: t.TempDir(), Getenv: func(string) string { return "" }}
	text := "base_url = \"https://registry.example\"\n[brand]\naccent = \"blue\"\n[server.concurrency]\nwrongs = 1\n"
	must(t, os.WriteFile(d.File(SettingsFile), []byte(text), 0o600))
	if err := d.CheckSettings(); err == nil || !strings.Contains(err.Error(), "accent") || !strings.Contains(err.Error(), "wrongs") {
		t.Errorf("%v", err)
	}
}
