// Package corpus makes a reproducible synthetic catalog: publishers and their
// registered pages, with sizes and words that follow Zipf's law, a vocabulary
// for each category and a smaller one for each publisher, and several
// scripts. Everything is drawn from streams keyed by (seed, kind, number) in
// integer arithmetic, so any page can be made alone, in any order, on any
// machine, and is always the same. Digests are drawn too: no text is hashed.
package corpus
