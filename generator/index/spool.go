package index

import (
	"bufio"
	"os"

	"colophon/exports"
)

// spool keeps stored records in a temporary file, by the order of adding.
type spool struct {
	file  *os.File
	out   *bufio.Writer
	ends  []int64 // where each record ends
	texts []int32 // bytes of each text part
}

func newSpool(dir string) (*spool, error) {
	f, err := os.CreateTemp(dir, "records-*")
	if err != nil {
		return nil, err
	}
	return &spool{file: f, out: bufio.NewWriterSize(f, 1<<18)}, nil
}

func (s *spool) add(r exports.Stored) error {
	if _, err := s.out.Write(r.Text); err != nil {
		return err
	}
	if _, err := s.out.Write(r.Raw); err != nil {
		return err
	}
	s.ends = append(s.ends, s.end(len(s.ends))+int64(len(r.Text)+len(r.Raw)))
	s.texts = append(s.texts, int32(len(r.Text)))
	return nil
}

// end is where record i begins.
func (s *spool) end(i int) int64 {
	if i == 0 {
		return 0
	}
	return s.ends[i-1]
}

// get reads record i; many goroutines may.
func (s *spool) get(i uint32) (exports.Stored, error) {
	from := s.end(int(i))
	b := make([]byte, s.ends[i]-from)
	if _, err := s.file.ReadAt(b, from); err != nil {
		return exports.Stored{}, err
	}
	n := s.texts[i]
	return exports.Stored{Text: b[:n:n], Raw: b[n:]}, nil
}

// block reads records, each changed by brief unless that is nil.
func (s *spool) block(records []uint32, brief func(exports.Stored) (exports.Stored, error)) (exports.Block, error) {
	out := make(exports.Block, 0, len(records))
	for _, i := range records {
		r, err := s.get(i)
		if err == nil && brief != nil {
			r, err = brief(r)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

func (s *spool) close() {
	s.file.Close()
	os.Remove(s.file.Name())
}
