package ledger

import "golang.org/x/mod/sumdb/tlog"

// recentHashes is the number of hashes that Recent keeps.
const recentHashes = 4096

// Recent returns a reader that caches the hashes that it read last. Proofs of
// neighbouring leaves share most of them.
func Recent(r tlog.HashReader) tlog.HashReader {
	known := map[int64]tlog.Hash{}
	return tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		out := make([]tlog.Hash, len(indexes))
		for i, index := range indexes {
			h, ok := known[index]
			if !ok {
				read, err := r.ReadHashes([]int64{index})
				if err != nil {
					return nil, err
				}
				h = read[0]
				if len(known) >= recentHashes {
					clear(known)
				}
				known[index] = h
			}
			out[i] = h
		}
		return out, nil
	})
}
