package tables

const (
	firstPage = 200     // rows that are read before their size is known
	pageBytes = 4 << 20 // of the pages that follow, about
	maxPage   = 5000    // rows
)

// Cursor reads a table page by page, each small enough for a database over HTTP
// to answer at once.
type Cursor struct {
	Table
	Done bool // there are no more rows

	last  []any
	limit int
	rows  int
	bytes int
}

// NewCursor begins to read a table.
func NewCursor(t Table) *Cursor { return &Cursor{Table: t, limit: firstPage} }

// Next returns the statement that reads the next page.
func (c *Cursor) Next() (query string, args []any) { return c.Page(c.last, c.limit) }

// Take accepts the answer to Next, and converts its cells to the types of the
// schema.
func (c *Cursor) Take(rows [][]any) error {
	for _, row := range rows {
		if err := c.Normalize(row); err != nil {
			return err
		}
		c.bytes += Size(row)
	}
	c.rows += len(rows)
	c.Done = len(rows) < c.limit
	if !c.Done {
		c.last = rows[len(rows)-1]
		c.limit = min(max(pageBytes/(c.bytes/c.rows+1), 1), maxPage)
	}
	return nil
}
