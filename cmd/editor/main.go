//go:build js && wasm

// Command editor is the Wasm module of the page /editor/: package
// generator/editor in the browser. It sets one object, colophonEditor, with two
// functions that take and return text:
//
//	preview(site, file)     site is {home, base, at}
//	lint(site, name, body)
//
// They return the JSON of that package.
package main

import (
	"syscall/js"

	"colophon/generator/editor"
	"colophon/internal/wire"
)

func main() {
	js.Global().Set("colophonEditor", js.ValueOf(map[string]any{
		"preview": js.FuncOf(func(_ js.Value, args []js.Value) any {
			return spell(siteOf(args[0]).Preview([]byte(args[1].String())))
		}),
		"lint": js.FuncOf(func(_ js.Value, args []js.Value) any {
			return spell(siteOf(args[0]).Lint(args[1].String(), []byte(args[2].String())))
		}),
	}))
	select {} // the functions live as long as the page
}

func siteOf(v js.Value) editor.Site {
	return editor.Site{Home: v.Get("home").String(), Base: v.Get("base").String(), At: v.Get("at").String()}
}

func spell(v wire.Value) string { return string(v.Append(nil)) }
