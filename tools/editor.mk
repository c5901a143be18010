# The browser module of the editor for publishers' files. Included by the
# Makefile. It needs only the Go toolchain.

.PHONY: editor

editor: ## build the module of the page /editor/ (Go, Wasm) into site/editor, for programs that are built after it
	$(call unless_prepared,tools/editor/build.sh)
