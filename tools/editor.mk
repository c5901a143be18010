# The editor of publishers' files: its module for the browser. Included by the
# Makefile. It needs the Go toolchain only.

.PHONY: editor

editor: ## build the module of the page /editor/ (Go, Wasm) into site/editor, for programs that are built after it
	$(call unless_prepared,tools/editor/build.sh)
