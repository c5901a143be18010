package doctor

import (
	"context"
	"errors"

	"colophon/internal/originsql/postgres"
)

// oldestPostgres is the major version that the tests run on.
const oldestPostgres = 15

// checkPostgres looks at an origin in Postgres as it is: it does not migrate it.
func (x *examination) checkPostgres(ctx context.Context) {
	const look = "look at the address in --origin or $COLOPHON_ORIGIN, and whether the server runs and is the primary"
	db, err := postgres.Open(ctx, x.Origin)
	if err != nil {
		x.addFailure("store", look, "%v", err)
		return
	}
	defer db.Close()
	c, err := db.Inspect(ctx)
	if err != nil {
		x.addFailure("store", look, "%v", err)
		return
	}
	x.checkPostgresServer(c)
	x.checkPostgresDurability(c)

	err = db.CheckSchema(ctx)
	if errors.Is(err, postgres.ErrSchema) {
		x.addWarning("schema", "any command migrates an older one; a newer one needs the program that wrote it", "%v", err)
		return
	}
	if err != nil {
		x.addFailure("schema", look, "%v", err)
		return
	}
	x.addPassed("schema", "that of this program")
	store := db.Store()
	x.checkClock(ctx, store)
	x.checkRelease(ctx, store)
	x.checkLedger(ctx, store)
}

// checkPostgresServer checks what the store requires of the server.
func (x *examination) checkPostgresServer(c postgres.Condition) {
	switch {
	case c.Encoding != "UTF8":
		x.addFailure("store", "make a database with ENCODING 'UTF8', and copy the origin there", "the database has the encoding %s", c.Encoding)
	case c.Isolation != "read committed":
		x.addFailure("store", "leave default_transaction_isolation out of the address", "transactions are %s", c.Isolation)
	case c.ReadOnly:
		x.addFailure("store", "set default_transaction_read_only to off for the service", "Postgres %d refuses writes", c.Version/10000)
	case c.Version/10000 < oldestPostgres:
		x.addWarning("store", "use a newer Postgres", "Postgres %d: nothing older than %d is tested", c.Version/10000, oldestPostgres)
	default:
		x.addPassed("store", "Postgres %d answers", c.Version/10000)
	}
	if !c.Local && !c.Encrypted {
		x.addWarning("store-tls", "add sslmode=verify-full to the address", "the connection to Postgres is not encrypted")
	}
	if c.Superuser {
		x.addWarning("store-role", "give the service a role of its own that owns this database and nothing else", "the service is a superuser of Postgres")
	}
}

// checkPostgresDurability checks whether acknowledged writes survive a loss of
// power.
func (x *examination) checkPostgresDurability(c postgres.Condition) {
	switch {
	case c.Fsync != "on" || c.FullPageWrites != "on":
		x.addFailure("durability", "set fsync and full_page_writes to on", "a loss of power may destroy the store: fsync is %s, full_page_writes is %s", c.Fsync, c.FullPageWrites)
	case c.SynchronousCommit == "off":
		x.addWarning("durability", "set synchronous_commit to on, so that other programs are safe too", "synchronous_commit is off; Colophon turns it on for itself")
	default:
		x.addPassed("durability", "fsync is on, synchronous_commit is %s", c.SynchronousCommit)
	}
}
