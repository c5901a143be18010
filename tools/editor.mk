# The editor of publishers' files: its module for the browser. Included by the
# Makefile. It needs the Go toolchain only.

.PHONY: editor

editor: ## build the module of the page /editor/ (Go, Wasm) into site/editor, for programs that are built after it
	GOOS=js GOARCH=wasm go build -trimpath -ldflags='-s -w' -o site/editor/editor.wasm ./cmd/editor
	cp "$$(go env GOROOT)/lib/wasm/wasm_exec.js" site/editor/wasm_exec.js
	chmod 644 site/editor/editor.wasm site/editor/wasm_exec.js
