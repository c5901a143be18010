// Package site holds what is written by hand for the public site: the style
// sheet, the scripts, the icons, robots.txt and llms.txt, and the documentation
// in Markdown. The generator makes everything that depends on data, with
// package templates.
package site

import (
	"embed"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"sync"
)

//go:embed assets docs editor robots.txt llms.txt
var files embed.FS

// File is one file of the site.
type File struct {
	Name string // "site.css"
	Data []byte
}

// The files of the editor's module. "make editor" builds them into the folder
// editor; a program built without them has none.
const (
	EditorModule  = "editor.wasm"
	EditorRuntime = "wasm_exec.js"
)

// Assets returns the files that pages refer to, sorted by name. The generator
// publishes each under /assets/, with a digest in its name so that caches can
// keep it forever. The favicon is also published as /favicon.svg. The files are
// read once: callers must not change their data.
func Assets() ([]File, error) { return assets() }

var assets = sync.OnceValues(readAssets)

func readAssets() ([]File, error) {
	entries, err := fs.ReadDir(files, "assets")
	if err != nil {
		return nil, err
	}
	out := make([]File, 0, len(entries))
	for _, e := range entries {
		data, err := files.ReadFile("assets/" + e.Name())
		if err != nil {
			return nil, err
		}
		out = append(out, File{e.Name(), data})
	}
	for _, name := range []string{EditorModule, EditorRuntime} {
		data, err := files.ReadFile("editor/" + name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, File{name, data})
	}
	return slices.Clip(out), nil
}

// Robots returns robots.txt for a base URL.
func Robots(base string) []byte { return withBase("robots.txt", base) }

// LLMs returns llms.txt for a base URL: what the service is, and where its
// machine-readable interfaces are.
func LLMs(base string) []byte { return withBase("llms.txt", base) }

// withBase returns an embedded text with {base} replaced by the base URL.
func withBase(name, base string) []byte {
	data, err := files.ReadFile(name)
	if err != nil {
		return nil
	}
	return []byte(strings.ReplaceAll(string(data), "{base}", base))
}
