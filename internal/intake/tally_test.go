package intake

import (
	"encoding/json"
	"maps"
	"slices"
)

// UnmarshalJSON reads what MarshalJSON writes, as a test does whose import ran in another
// process.
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
