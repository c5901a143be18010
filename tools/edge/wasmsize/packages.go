package main

import (
	"strings"

	"colophon/tools/edge/wasmfile"
)

// sizeByPackage sums the code of each package, the named ones by their path.
func sizeByPackage(m *wasmfile.Module) map[string]int {
	sizes := map[string]int{}
	for i, body := range m.Bodies {
		sizes[packageOf(m.Names[i+m.Imports])] += len(body)
	}
	return sizes
}

// packageOf finds the package in a symbol such as
// "(*database/sql.DB).QueryContext$1" or "interface:{…}.Write$invoke".
func packageOf(symbol string) string {
	s := strings.TrimSuffix(strings.TrimLeft(symbol, "(*"), ".command_export")
	if s == "" || strings.HasPrefix(s, "interface:") || strings.ContainsAny(s, "{ ") {
		return "(other)"
	}
	slash := strings.LastIndexByte(s, '/')
	if bracket := strings.IndexByte(s, '['); bracket >= 0 && bracket < slash {
		s, slash = s[:bracket], strings.LastIndexByte(s[:bracket], '/')
	}
	dot := strings.IndexByte(s[slash+1:], '.')
	if dot < 0 {
		return "(C and runtime support)"
	}
	return s[:slash+1+dot]
}
