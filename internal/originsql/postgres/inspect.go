package postgres

import "context"

// Condition describes how a database is set up, for commands that examine it.
type Condition struct {
	Version           int64  // such as 150004
	Encoding          string // of the database
	SynchronousCommit string // as the server and the role say; connections of this package have at least "on"
	Fsync             string
	FullPageWrites    string
	Isolation         string // of transactions
	ReadOnly          bool   // transactions are, as the server or the role says
	Encrypted         bool   // the connection
	Local             bool   // the connection goes through a socket of this machine
	Superuser         bool   // the role
}

// Inspect reads the condition of the database.
func (d *Database) Inspect(ctx context.Context) (c Condition, err error) {
	const query = `SELECT current_setting('server_version_num')::bigint, pg_encoding_to_char(encoding),
		(SELECT reset_val FROM pg_settings WHERE name = 'synchronous_commit'), current_setting('fsync'), current_setting('full_page_writes'),
		current_setting('transaction_isolation'), current_setting('transaction_read_only')::boolean,
		coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false), inet_client_addr() IS NULL,
		(SELECT rolsuper FROM pg_roles WHERE rolname = current_user)
		FROM pg_database WHERE datname = current_database()`
	err = d.pool.QueryRow(ctx, query).Scan(&c.Version, &c.Encoding, &c.SynchronousCommit, &c.Fsync, &c.FullPageWrites, &c.Isolation, &c.ReadOnly,
		&c.Encrypted, &c.Local, &c.Superuser)
	return c, explainError(err)
}
