//go:build unix

package intake_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"colophon/internal/intake"
)

// TestCancelledWhileReading cancels a list of an export that has no end and no
// page.
func TestCancelledWhileReading(t *testing.T) {
	name := filepath.Join(t.TempDir(), "export.xml")
	must(t, syscall.Mkfifo(name, 0o600))
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		pipe, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return
		}
		defer pipe.Close()
		fmt.Fprint(pipe, `<rss xmlns:wp="http://wordpress.org/export/1.2/"><channel>`)
		for range 2000 { // then it waits, and so does whoever reads
			fmt.Fprint(pipe, "<item><title>A picture</title><wp:post_type>attachment</wp:post_type></item>")
		}
		time.Sleep(50 * time.Millisecond)
		cancel()
		<-t.Context().Done()
	}()
	ended := make(chan error, 1)
	go func() {
		l := func(intake.Listed) error { return nil }
		_, err := intake.List(ctx, intake.Options{Source: name}, l)
		ended <- err
	}()
	select {
	case err := <-ended:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	case <-time.After(5 * time.Second):
		t.Error("it goes on")
	}
}
