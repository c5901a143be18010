// Package corpus makes a reproducible synthetic catalog: publishers and their
// registered pages, with sizes and words that follow Zipf's law, a vocabulary
// for each category and a smaller one for each publisher, and several scripts.
// Everything is drawn in integer arithmetic from streams keyed by (seed, kind,
// number), so each page can be made independently, in any order, on any
// machine, and is always the same. Digests are drawn too: no text is hashed.
package corpus
