package channel

import "github.com/dunglas/httpsfv"

// sfMember is one member of a dictionary.
type sfMember struct {
	key   string
	token string // its value, "" if that is not a token: no vocabulary here has others
	text  string // the token with its parameters, "n;exceptions=research"
}

// parseDictionary parses a Structured Fields dictionary (RFC 9651, section
// 4.2.2). A repeated key keeps its first position and the last value.
func parseDictionary(s string) ([]sfMember, error) {
	dict, err := httpsfv.UnmarshalDictionary([]string{s})
	if err != nil {
		return nil, err
	}
	var list []sfMember
	for _, key := range dict.Names() {
		m := sfMember{key: key}
		value, _ := dict.Get(key)
		item, _ := value.(httpsfv.Item)
		if token, ok := item.Value.(httpsfv.Token); ok {
			m.token = string(token)
			if m.text, err = httpsfv.Marshal(item); err != nil {
				return nil, err
			}
		}
		list = append(list, m)
	}
	return list, nil
}
