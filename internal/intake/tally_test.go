package intake

import (
	"encoding/json"
	"maps"
	"slices"
)

// UnmarshalJSON decodes what MarshalJSON encodes, for a test whose import ran
// in another process.
func (t *Tally) UnmarshalJSON(data []byte) error {
	var byCode map[string]Reason
	if err := json.Unmarshal(data, &byCode); err != nil {
		return err
	}
	for _, code := range slices.Sorted(maps.Keys(byCode)) {
		r := byCode[code]
		r.Code = code
		*t = append(*t, r)
	}
	return nil
}
