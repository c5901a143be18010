// Package s3test starts an S3 server for tests: versitygw over a temporary
// folder. "make unit" and "make test-backup" install it and say where it is.
package s3test

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// Variable names the environment variable with the path of versitygw.
const Variable = "COLOPHON_VERSITYGW"

// Bucket is a bucket that the server has.
const Bucket = "shelf"

// Start starts a server on a port of its own and sets the variables from which
// clients take their credentials. It returns the address of the server and the
// folder in which it keeps the objects of Bucket by their keys. The server
// ends with the test.
func Start(t testing.TB) (endpoint, objects string) {
	t.Helper()
	program := os.Getenv(Variable)
	if program == "" {
		t.Skip("needs an S3 server, whose program " + Variable + " names: make test-backup")
	}
	root := t.TempDir()
	objects = filepath.Join(root, Bucket)
	if err := os.Mkdir(objects, 0o700); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "--port", address, "--quiet", "posix", root)
	cmd.Env = append(os.Environ(), "ROOT_ACCESS_KEY=test", "ROOT_SECRET_KEY=test-secret")
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended
		<-ended
	})
	waitFor(t, address, ended)
	t.Setenv("AWS_ACCESS_KEY_ID", "test")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "test-secret")
	return "http://" + address, objects
}

// waitFor waits until the server listens, as long as it runs: how long that takes is a
// matter of the machine.
func waitFor(t testing.TB, address string, ended chan error) {
	t.Helper()
	for {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			conn.Close()
			return
		}
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("the S3 server ended before it answered: %v", err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}
