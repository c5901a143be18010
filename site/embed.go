// Package site holds what is written by hand for the public site: the style
// sheet, the scripts, the icons, robots.txt and llms.txt, and the
// documentation in Markdown. Everything that depends on data is made by the
// generator with package templates.
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
// editor; a program that was built without them has none.
const (
	EditorModule  = "editor.wasm"
	EditorRuntime = "wasm_exec.js"
)

// Assets lists, by name, the files that pages refer to: the generator
// publishes each under /assets/ with a digest in its name and forever in
// caches. The favicon is also published as /favicon.svg. They are read once: the
// data must not be changed.
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

// Robots is robots.txt for a base URL.
func Robots(base string) []byte { return withBase("robots.txt", base) }

// LLMs is llms.txt for a base URL: what the service is, and where its
// machine-readable surfaces are.
func LLMs(base string) []byte { return withBase("llms.txt", base) }

// withBase reads an embedded text and puts the base URL for {base}.
func withBase(name, base string) []byte {
	data, err := files.ReadFile(name)
	if err != nil {
		return nil
	}
	return []byte(strings.ReplaceAll(string(data), "{base}", base))
}
