// Package postgres keeps the origin store in Postgres. The statements are those
// of originsql, which are written for SQLite and translated by a few fixed rules
// (translate.go), and so are the migrations (migrate.go).
//
// SQLite runs one write after another; Postgres runs them side by side, at READ
// COMMITTED. What rests on the former here holds by locks (lock.go): wherever a
// number is given out, the row that counts is locked first. Each statement is a
// transaction by itself, in one round trip; one that Postgres refused for the
// sake of another is run again.
package postgres
