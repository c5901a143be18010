package staticindex

// Hash returns the FNV-1a hash of a text, with its bits mixed afterwards so
// that each depends on all of the text.
func Hash(s string) uint32 {
	h := uint32(2166136261)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint32(s[i])) * 16777619
	}
	h ^= h >> 15
	h *= 2246822519
	return h ^ h>>13
}
