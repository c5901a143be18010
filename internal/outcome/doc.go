// Package outcome has the stable codes with which texts, addresses, records,
// keys and documents of the ledger are accepted or refused.
package outcome
