package provenance

import "math/bits"

// Nodes gives the hash of a complete subtree: the one of 2^height leaves that
// begins with leaf n*2^height.
type Nodes func(height int, n int64) (Hash, error)

// TreeRoot is the root of the first size leaves (RFC 9162, section 2.1.1);
// that of no leaves is the hash of nothing.
func TreeRoot(size int64, node Nodes) (Hash, error) {
	if size == 0 {
		return emptyRoot(), nil
	}
	return rangeRoot(0, size, node)
}

// rangeRoot is the root over leaves lo … hi-1, where lo is a multiple of the
// largest power of two in the range.
func rangeRoot(lo, hi int64, node Nodes) (Hash, error) {
	k := splitPoint(hi - lo)
	if 2*k == hi-lo || hi-lo == 1 {
		height := bits.TrailingZeros64(uint64(hi - lo))
		return node(height, lo>>height)
	}
	left, err := rangeRoot(lo, lo+k, node)
	if err != nil {
		return Hash{}, err
	}
	right, err := rangeRoot(lo+k, hi, node)
	return NodeHash(left, right), err
}

// splitPoint is the largest power of two below n, for n > 1.
func splitPoint(n int64) int64 {
	if n < 2 {
		return 1
	}
	return 1 << (bits.Len64(uint64(n-1)) - 1)
}

// InclusionPath is the proof that CheckInclusion accepts for the leaf at index
// in the tree of that size.
func InclusionPath(index, size int64, node Nodes) ([]Hash, error) {
	if index < 0 || index >= size {
		return nil, ProofInvalid
	}
	var path []Hash // from the root downwards
	for lo, hi := int64(0), size; hi-lo > 1; {
		k := splitPoint(hi - lo)
		var sibling Hash
		var err error
		if index < lo+k {
			sibling, err = rangeRoot(lo+k, hi, node)
			hi = lo + k
		} else {
			sibling, err = rangeRoot(lo, lo+k, node)
			lo += k
		}
		if err != nil {
			return nil, err
		}
		path = append(path, sibling)
	}
	reversePath(path)
	return path, nil
}

// ConsistencyPath is the proof that CheckConsistency accepts for the trees of
// both sizes, 1 <= oldSize <= newSize.
func ConsistencyPath(oldSize, newSize int64, node Nodes) ([]Hash, error) {
	if oldSize < 1 || oldSize > newSize {
		return nil, ProofInvalid
	}
	var path []Hash
	lo, hi, whole := int64(0), newSize, true
	for hi != oldSize {
		k := splitPoint(hi - lo)
		var sibling Hash
		var err error
		if oldSize <= lo+k {
			sibling, err = rangeRoot(lo+k, hi, node)
			hi = lo + k
		} else {
			sibling, err = rangeRoot(lo, lo+k, node)
			lo, whole = lo+k, false
		}
		if err != nil {
			return nil, err
		}
		path = append(path, sibling)
	}
	if !whole {
		own, err := rangeRoot(lo, hi, node)
		if err != nil {
			return nil, err
		}
		path = append(path, own)
	}
	reversePath(path)
	return path, nil
}

func reversePath(path []Hash) {
	for i, j := 0, len(path)-1; i < j; i, j = i+1, j-1 {
		path[i], path[j] = path[j], path[i]
	}
}
