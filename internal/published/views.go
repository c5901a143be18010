package published

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"colophon/generator/ledger"
	"colophon/internal/ledgerlog"
	"colophon/internal/record"
)

// ComparedView is another view of a log that was compared.
type ComparedView struct {
	Where      string `json:"where"`
	Size       int64  `json:"size"`
	Root       string `json:"root"`
	Checkpoint string `json:"checkpoint"`
	Agrees     bool   `json:"agrees"`
}

// CompareViews compares an audited log with other views of it, and adds a
// finding to the report for each that does not agree.
func CompareViews(ctx context.Context, own ledger.View, report *ledger.Report, others []string) ([]ComparedView, error) {
	views := []ComparedView{}
	for _, where := range others {
		other, err := OpenView(ctx, where)
		if err != nil {
			return nil, err
		}
		c, err := ledger.CompareViews(own, other, report.Keys)
		if err != nil && !errors.Is(err, ledger.ErrSplitView) {
			return nil, err
		}
		if err != nil {
			report.Findings = append(report.Findings, err.Error())
		}
		views = append(views, ComparedView{where, c.Size, base64.StdEncoding.EncodeToString(c.Root[:]), string(other.Note), err == nil})
	}
	return views, nil
}

// ReadSeen reads into q the key and the checkpoint that were seen last, from a
// file that holds what SeenFile returned. It changes nothing if there is no
// such file.
func ReadSeen(file string, q *ledger.Question) error {
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	line, note, ok := strings.Cut(string(data), "\n")
	k, bad := ledgerlog.ParseVerifierKey(line)
	if !ok || bad != nil {
		return fmt.Errorf("the file %q that remembers the checkpoint is damaged; restore it, or remove it and compare the key with one that you got elsewhere", file)
	}
	if _, err := ledgerlog.OpenCheckpoint([]byte(note), k, record.Ed25519); err != nil {
		return fmt.Errorf("the file %q that remembers the checkpoint is damaged: %w; restore it, or remove it and compare the key with one that you got elsewhere", file, err)
	}
	q.Known, q.KnownKey = []byte(note), &k
	return nil
}

// SeenFile returns the file by which ReadSeen remembers an audit.
func SeenFile(r *ledger.Report) []byte { return []byte(r.Key.String() + "\n" + string(r.Note)) }
