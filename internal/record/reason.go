package record

import (
	"strconv"

	"colophon/exports"
)

// SupersedeReason says why a record takes the place of another, by what the two
// say in source.extraction of how their texts were obtained. Both are signed, so
// everybody who has both records finds the same word. It is one of
// exports.LedgerReasons, "" for other changes.
func SupersedeReason(before, after string) string {
	old, oldVersion := splitVersion(before)
	name, version := splitVersion(after)
	if name == "" || name != old || version <= oldVersion {
		return ""
	}
	return exports.ReasonExtractionImproved
}

// splitVersion takes apart "service.main-text.v3"; name is "" for what has no
// version.
func splitVersion(extraction string) (name string, version int) {
	digits := len(extraction)
	for digits > 0 && extraction[digits-1] >= '0' && extraction[digits-1] <= '9' {
		digits--
	}
	const mark = ".v"
	if digits < len(mark) || extraction[digits-len(mark):digits] != mark {
		return "", 0
	}
	version, err := strconv.Atoi(extraction[digits:])
	if err != nil {
		return "", 0
	}
	return extraction[:digits-len(mark)], version
}
