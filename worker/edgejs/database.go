//go:build js && wasm

package edgejs

import (
	"context"
	"database/sql/driver"

	"github.com/syumai/workers/cloudflare/d1"
)

// Database is the D1 binding of that name, for originsql.Over or sql.OpenDB.
// It may be made before Serve: the binding is looked up at each Connect. A
// connection must not be kept, since it would hold the binding of the request
// before; with sql.OpenDB let none be idle.
//
// D1 has no transactions and passes every number as a float64; see
// internal/originsql for what statements may rely on.
func Database(binding string) driver.Connector { return connector(binding) }

type connector string

// Connect looks the binding up.
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	found, err := d1.OpenConnector(string(c))
	if err != nil {
		return nil, err
	}
	return found.Connect(ctx)
}

// Driver is the driver of D1.
func (connector) Driver() driver.Driver { return &d1.Driver{} }
