// Package witness holds the ledger against transparency-dev's omniwitness,
// which is not ours: what the program publishes, it must cosign, and what does
// not continue it, it must refuse. It has tests only.
package witness
