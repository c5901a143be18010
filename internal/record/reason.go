package record

import (
	"strconv"

	"colophon/exports"
)

// SupersedeReason returns why a record supersedes another, from what the two
// say in source.extraction about how their texts were obtained. Both are
// signed, so everyone who has both records finds the same reason. It is one of
// exports.LedgerReasons, or "" for other changes.
func SupersedeReason(before, after string) string {
	old, oldVersion := splitVersion(before)
	name, version := splitVersion(after)
	if name == "" || name != old || version <= oldVersion {
		return ""
	}
	return exports.ReasonExtractionImproved
}

// splitVersion splits "service.main-text.v3" into name and version; name is ""
// if there is no version.
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
