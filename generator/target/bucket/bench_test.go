package bucket

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/minio/minio-go/v7/pkg/signer"
	"golang.org/x/sync/errgroup"

	"colophon/internal/processcost"
	"colophon/internal/s3/s3test"
)

// folderVariable is the environment variable with the path of a folder of
// published files ("make bench-publish").
const folderVariable = "COLOPHON_PUBLISH_FOLDER"

// BenchmarkPublish publishes a folder to an empty bucket, and before and after
// it stores the same files with a plain parallel loop over net/http. Both read
// the files, sign the requests and send digests. The benchmark reports the rate
// of the publication divided by that of the loops.
func BenchmarkPublish(b *testing.B) {
	dir := os.Getenv(folderVariable)
	if dir == "" {
		b.Skip("needs a folder of published files, which " + folderVariable + " names: make bench-publish")
	}
	s := newShelf(b)
	f, err := openFolder(dir)
	must(b, err)
	defer f.close()

	for b.Loop() {
		before := measure(func() { s.putAll(f, "before/") })
		publish := measure(func() { s.publish(dir, 1, start) })
		after := measure(func() { s.putAll(f, "after/") })
		loops := (before.wall + after.wall) / 2
		for name, m := range map[string]measured{"loop before": before, "publish": publish, "loop after": after} {
			b.Logf("%-12s %7d objects %8.1f s %7.0f objects/s, client %5.0f µs of CPU an object",
				name, len(f.files), m.wall.Seconds(), float64(len(f.files))/m.wall.Seconds(), m.cpu.Seconds()*1e6/float64(len(f.files)))
		}
		data, _, err := (&list{Objects: f.files}).encodeList()
		must(b, err)
		b.ReportMetric(float64(len(data))/float64(len(f.files)), "list-bytes/object")
		var spelled []byte
		for i := range f.files {
			spelled = f.files[i].AppendRow(spelled)
		}
		b.ReportMetric(float64(len(spelled))/float64(len(f.files)), "row-bytes/object")
		b.ReportMetric(float64(len(f.files))/publish.wall.Seconds(), "objects/s")
		b.ReportMetric(loops.Seconds()/publish.wall.Seconds(), "of-plain-loop")
	}
}

type measured struct{ wall, cpu time.Duration }

// measure measures the time and the CPU time of this process, without the
// server's.
func measure(do func()) measured {
	began, cpu := time.Now(), processcost.CPU()
	do()
	return measured{time.Since(began), processcost.CPU() - cpu}
}

// putAll stores all files below a prefix, using only net/http.
func (s *shelf) putAll(f *folder, below string) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: DefaultParallel, DisableCompression: true}}
	defer client.CloseIdleConnections()
	group, ctx := errgroup.WithContext(context.Background())
	group.SetLimit(DefaultParallel)
	for i := range f.files {
		group.Go(func() error { return s.putPlain(ctx, client, f, f.files[i].Key, below) })
	}
	must(s, group.Wait())
}

func (s *shelf) putPlain(ctx context.Context, client *http.Client, f *folder, key, below string) error {
	data, err := os.ReadFile(filepath.Join(f.root.Name(), key))
	if err != nil {
		return err
	}
	sum := sha256.Sum256(data)
	r, err := http.NewRequestWithContext(ctx, http.MethodPut, s.endpoint+"/"+s3test.Bucket+"/"+below+key, bytes.NewReader(data))
	if err != nil {
		return err
	}
	r.Header.Set("X-Amz-Content-Sha256", hex.EncodeToString(sum[:]))
	r = signer.SignV4(*r, os.Getenv("AWS_ACCESS_KEY_ID"), os.Getenv("AWS_SECRET_ACCESS_KEY"), "", "us-east-1")
	answer, err := client.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", key, answer.Status)
	}
	return nil
}
