package registrydir

import (
	"encoding"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// Setting is one value that the program works with.
type Setting struct {
	Name  string `json:"name"`
	Value any    `json:"value"`
	From  string `json:"from"` // a flag, an environment variable, colophon.toml or "default"
	About string `json:"about"`
}

// SettingText returns a value as people read it.
func SettingText(value any) string {
	if m, ok := value.(encoding.TextMarshaler); ok {
		if text, err := m.MarshalText(); err == nil {
			return string(text)
		}
	}
	return fmt.Sprint(value)
}

// ListSettings lists the settings that a command works with, and where each
// comes from. given reports whether a flag states a value.
func (d *Dir) ListSettings(given func(flag string) bool) ([]Setting, error) {
	s, err := d.ReadSettings()
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(d.File(SettingsFile))
	if err != nil {
		return nil, err
	}
	var stated map[string]any
	if err := toml.Unmarshal(data, &stated); err != nil {
		return nil, err
	}
	// source returns where a value comes from that a flag and an environment
	// variable can state: otherwise, if neither does.
	source := func(flag, variable, otherwise string) string {
		switch {
		case flag != "" && given(flag):
			return "--" + flag
		case d.Getenv(variable) != "":
			return "$" + variable
		}
		return otherwise
	}
	list := []Setting{{"dir", d.Path, source("dir", "COLOPHON_DIR", "default"), "Folder of the registry."}}
	defaults := map[string]any{}
	VisitSettings("", reflect.ValueOf(DefaultSettings()), func(table, name, _ string, v reflect.Value) { defaults[table+"."+name] = v.Interface() })
	VisitSettings("", reflect.ValueOf(s), func(table, name, about string, v reflect.Value) {
		row := Setting{strings.TrimPrefix(table+"."+name, "."), v.Interface(), SettingsFile, about}
		if !isStated(stated, table, name) {
			row.Value, row.From = defaults[table+"."+name], "default"
			if said, ok := SaidDefaults[row.Name]; ok {
				row.Value = strings.ReplaceAll(said, "`", "")
			}
		}
		switch row.Name {
		case "base_url":
			row.Value = s.BaseURL
			row.From = source("", "COLOPHON_BASE_URL", row.From)
		case "origin":
			row.Value = d.OriginName()
			row.From = source("origin", "COLOPHON_ORIGIN", row.From)
		}
		list = append(list, row)
	})
	return list, nil
}

// isStated reports whether a file states a setting.
func isStated(file map[string]any, table, name string) bool {
	if table != "" {
		if strings.HasSuffix(table, "]") {
			return true
		}
		file, _ = file[table].(map[string]any)
	}
	_, stated := file[name]
	return stated
}

// CheckSettings returns everything that is wrong with the settings, not only
// the first fault.
func (d *Dir) CheckSettings() error {
	s, err := d.ReadSettings()
	if err != nil {
		return err
	}
	_, badBrand := d.ReadBrand(s)
	var badServer error
	if err := s.Server.Check(); err != nil {
		badServer = fmt.Errorf("%s: %w", d.File(SettingsFile), err)
	}
	return errors.Join(badBrand, badServer)
}
