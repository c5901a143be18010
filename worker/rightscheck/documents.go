package rightscheck

import (
	"container/list"
	"sync"

	"colophon/internal/rights"
	"colophon/internal/wire"
)

// Documents keeps what versions of the facts about sites say, so that a check
// reads the facts of a site only once. A check reads the current version from
// the origin each time.
type Documents interface {
	// Document returns what was kept under a version, or nil.
	Document(siteID, version string) *rights.KeptDocument

	// Keep keeps a document, which must not be changed afterwards. It may forget
	// it, and others, at any time.
	Keep(siteID, version string, d *rights.KeptDocument)
}

// Memory keeps documents in the memory of a process: of each site the version
// kept last, up to a bound. It is safe for concurrent use.
type Memory struct {
	most int // bytes

	mu    sync.Mutex
	sites map[string]*list.Element // by id, of *keptVersion
	used  list.List                // those used last are in front
	size  int
}

type keptVersion struct {
	siteID, version string
	doc             *rights.KeptDocument
	size            int
}

// DefaultMemory is the bound that fits most registries, in bytes.
const DefaultMemory = 64 << 20

// NewMemory returns a memory that takes about most bytes.
func NewMemory(most int) *Memory {
	return &Memory{most: most, sites: map[string]*list.Element{}}
}

// inMemory is how many bytes a byte of a document's JSON takes in memory, with
// the judgements that the document keeps.
const inMemory = 16

// Document returns what was kept under a version, or nil.
func (m *Memory) Document(siteID, version string) *rights.KeptDocument {
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.sites[siteID]
	if e == nil || e.Value.(*keptVersion).version != version {
		return nil
	}
	m.used.MoveToFront(e)
	return e.Value.(*keptVersion).doc
}

// Keep keeps a document in place of that of another version, and forgets those
// that were not used for longest.
func (m *Memory) Keep(siteID, version string, d *rights.KeptDocument) {
	v := &keptVersion{siteID, version, d, inMemory * len(wire.Append(nil, d))}
	if d.Document != nil {
		d.Document.KeepJudgements()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.forget(m.sites[siteID])
	m.sites[siteID] = m.used.PushFront(v)
	m.size += v.size
	for m.size > m.most {
		m.forget(m.used.Back())
	}
}

func (m *Memory) forget(e *list.Element) {
	if e == nil {
		return
	}
	v := m.used.Remove(e).(*keptVersion)
	delete(m.sites, v.siteID)
	m.size -= v.size
}
