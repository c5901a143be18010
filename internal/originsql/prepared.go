package originsql

import (
	"context"
	"database/sql"
	"sync"
)

// maxPrepared bounds the prepared statements that are kept. The store has fewer
// texts; commands that compose their own have them prepared each time.
const maxPrepared = 256

// prepared keeps reading statements, so that a connection parses each text
// once: parsing that of a rights check takes four times as long as running it.
type prepared struct {
	db *sql.DB

	mu         sync.RWMutex
	statements map[string]*sql.Stmt // by text
}

func (p *prepared) query(ctx context.Context, s Statement) (rows, error) {
	statement, err := p.statement(ctx, s.Text)
	if err != nil {
		return nil, err
	}
	if statement == nil {
		return p.db.QueryContext(ctx, s.Text, s.Args...)
	}
	return statement.QueryContext(ctx, s.Args...)
}

// statement returns the statement with a text, or nil if the maximum is kept
// already.
func (p *prepared) statement(ctx context.Context, text string) (*sql.Stmt, error) {
	p.mu.RLock()
	kept, n := p.statements[text], len(p.statements)
	p.mu.RUnlock()
	if kept != nil || n >= maxPrepared {
		return kept, nil
	}
	fresh, err := p.db.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if kept := p.statements[text]; kept != nil { // another call was first
		return kept, fresh.Close()
	}
	if p.statements == nil {
		p.statements = map[string]*sql.Stmt{}
	}
	p.statements[text] = fresh
	return fresh, nil
}
