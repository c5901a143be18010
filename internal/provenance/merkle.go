package provenance

import "crypto/sha256"

// Hash is a node of the ledger's Merkle tree (RFC 6962, SHA-256).
type Hash [32]byte

// LeafHash is SHA-256(0x00, leaf).
func LeafHash(leaf []byte) Hash {
	return sha256.Sum256(append([]byte{0}, leaf...))
}

// NodeHash is SHA-256(0x01, left, right).
func NodeHash(left, right Hash) Hash {
	var b [65]byte
	b[0] = 1
	copy(b[1:], left[:])
	copy(b[33:], right[:])
	return sha256.Sum256(b[:])
}

// emptyRoot is the root of a tree without leaves.
func emptyRoot() Hash { return sha256.Sum256(nil) }

// CheckInclusion reports whether proof shows that leaf is at index in the tree
// of that size and root (RFC 9162, section 2.1.3.2).
func CheckInclusion(proof []Hash, index, size int64, leaf, root Hash) bool {
	if index < 0 || index >= size {
		return false
	}
	node, last, at := leaf, size-1, index
	for _, sibling := range proof {
		if last == 0 {
			return false
		}
		if at&1 == 1 || at == last {
			node = NodeHash(sibling, node)
			for at&1 == 0 && at != 0 {
				at, last = at>>1, last>>1
			}
		} else {
			node = NodeHash(node, sibling)
		}
		at, last = at>>1, last>>1
	}
	return last == 0 && node == root
}

// CheckConsistency reports whether proof shows that the tree of newSize and
// newRoot begins with the leaves of the tree of oldSize and oldRoot (RFC 9162,
// section 2.1.4.2). Trees of no leaves have no proof.
func CheckConsistency(proof []Hash, oldSize, newSize int64, oldRoot, newRoot Hash) bool {
	if oldSize < 1 || oldSize > newSize {
		return false
	}
	if oldSize == newSize {
		return len(proof) == 0 && oldRoot == newRoot
	}
	if oldSize&(oldSize-1) == 0 { // a whole subtree: its root starts the path
		proof = append([]Hash{oldRoot}, proof...)
	}
	if len(proof) == 0 {
		return false
	}
	at, last := oldSize-1, newSize-1
	for at&1 == 1 {
		at, last = at>>1, last>>1
	}
	oldNode, newNode := proof[0], proof[0]
	for _, sibling := range proof[1:] {
		if last == 0 {
			return false
		}
		if at&1 == 1 || at == last {
			oldNode, newNode = NodeHash(sibling, oldNode), NodeHash(sibling, newNode)
			for at&1 == 0 && at != 0 {
				at, last = at>>1, last>>1
			}
		} else {
			newNode = NodeHash(newNode, sibling)
		}
		at, last = at>>1, last>>1
	}
	return last == 0 && oldNode == oldRoot && newNode == newRoot
}
