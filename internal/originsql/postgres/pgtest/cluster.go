// Package pgtest starts a Postgres for tests: a cluster in a temporary folder,
// reached through a socket in it, and gone after the tests.
package pgtest

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Variable names the environment variable with which tests run on Postgres.
// "make test-postgres" sets it. Without it they are skipped and say so, also
// where Postgres is installed, so that the gate is the same on every machine.
const Variable = "COLOPHON_POSTGRES"

// ErrNotRequested says that no tests on Postgres were requested.
var ErrNotRequested = errors.New("\"make test-postgres\" runs this test")

// Cluster is a running Postgres.
type Cluster struct {
	folder string
	server *exec.Cmd
	serial atomic.Int64
}

// Main runs the tests of a package with a cluster, for its TestMain.
func Main(m *testing.M, use func(*Cluster)) {
	os.Exit(runMain(m, use))
}

func runMain(m *testing.M, use func(*Cluster)) int {
	c, err := Start()
	switch {
	case errors.Is(err, ErrNotRequested):
		fmt.Println("--- SKIP: tests on Postgres:", err)
		return m.Run()
	case err != nil:
		fmt.Fprintln(os.Stderr, "cannot start Postgres:", err)
		return 1
	}
	defer c.Stop()
	use(c)
	return m.Run()
}

// SkipOrFail ends a test that has no cluster: it is skipped if no tests on
// Postgres were requested.
func SkipOrFail(t testing.TB, err error) {
	t.Helper()
	if errors.Is(err, ErrNotRequested) {
		t.Skip(err)
	}
	t.Fatal(err)
}

// Start makes a cluster and starts it. It returns ErrNotRequested if Variable is
// not set.
func Start() (*Cluster, error) {
	if os.Getenv(Variable) == "" {
		return nil, ErrNotRequested
	}
	return start((*Cluster).initialize)
}

// StartStandby makes a copy of a cluster that follows it, and starts it. From
// then on, a commit of the cluster waits as synchronous_commit says, until the
// standby has it.
func (c *Cluster) StartStandby() (*Cluster, error) {
	standby, err := start(func(s *Cluster, bin string, attributes *syscall.SysProcAttr) error {
		return s.run(attributes, filepath.Join(bin, "pg_basebackup"), "-D", filepath.Join(s.folder, "data"), "-d", c.address("postgres"), "-R", "--checkpoint=fast", "--no-sync")
	})
	if err != nil {
		return nil, err
	}
	for _, statement := range []string{"ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()"} {
		if err := c.exec(statement); err != nil {
			standby.Stop()
			return nil, err
		}
	}
	return standby, nil
}

// start starts a cluster in a new folder, after fill has made its data.
func start(fill func(c *Cluster, bin string, attributes *syscall.SysProcAttr) error) (*Cluster, error) {
	bin, err := findPrograms()
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "colophon-pg-") // short: a socket's path has 107 bytes at most
	if err != nil {
		return nil, err
	}
	c := &Cluster{folder: folder}
	attributes, err := c.giveAway()
	if err == nil {
		err = fill(c, bin, attributes)
	}
	if err == nil {
		err = c.serve(bin, attributes)
	}
	if err != nil {
		c.Stop()
		return nil, err
	}
	return c, nil
}

// findPrograms returns the folder of the programs of the newest Postgres.
func findPrograms() (string, error) {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if path, err := exec.LookPath("initdb"); err == nil {
		found = append(found, path)
	}
	if len(found) == 0 {
		return "", errors.New("there is no Postgres: \"make postgres\" installs it")
	}
	return filepath.Dir(slices.MaxFunc(found, func(a, b string) int { return version(a) - version(b) })), nil
}

// version returns the number in ".../postgresql/15/bin/initdb", 0 for none.
func version(path string) int {
	n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(path))))
	return n
}

func (c *Cluster) initialize(bin string, attributes *syscall.SysProcAttr) error {
	return c.run(attributes, filepath.Join(bin, "initdb"), "-D", filepath.Join(c.folder, "data"), "-U", "colophon", "--auth=trust", "--no-locale", "--encoding=UTF8", "--no-sync", "--no-instructions")
}

func (c *Cluster) run(attributes *syscall.SysProcAttr, program string, args ...string) error {
	cmd := exec.Command(program, args...)
	cmd.SysProcAttr = attributes
	cmd.Dir = c.folder
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", filepath.Base(program), err, out)
	}
	return nil
}

// serve starts the server on the folder "data" and waits until it answers.
func (c *Cluster) serve(bin string, attributes *syscall.SysProcAttr) error {
	c.server = exec.Command(filepath.Join(bin, "postgres"), "-D", filepath.Join(c.folder, "data"), "-k", c.folder, "-c", "listen_addresses=", "-c", "fsync=off",
		"-c", "max_connections=60", "-c", "shared_buffers=32MB", "-c", "deadlock_timeout=100ms")
	c.server.SysProcAttr = attributes
	c.server.Dir = c.folder
	log, err := os.Create(filepath.Join(c.folder, "log"))
	if err != nil {
		return err
	}
	defer log.Close()
	c.server.Stdout = log
	c.server.Stderr = log
	if err := c.server.Start(); err != nil {
		return err
	}
	return c.awaitReady()
}

func (c *Cluster) awaitReady() error {
	deadline := time.Now().Add(time.Minute)
	for {
		err := c.exec("SELECT 1")
		if err == nil {
			return nil
		}
		if time.Now().After(deadline) {
			log, _ := os.ReadFile(filepath.Join(c.folder, "log"))
			return fmt.Errorf("it does not answer: %w\n%s", err, log)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func (c *Cluster) exec(statement string) error {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, c.address("postgres"))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, statement)
	return err
}

func (c *Cluster) address(database string) string {
	return "postgres://colophon@/" + database + "?host=" + url.QueryEscape(c.folder)
}

// Promote makes a standby the primary.
func (c *Cluster) Promote() error { return c.exec("SELECT pg_promote()") }

// Folder returns the folder of the cluster's socket, for the host of an address.
func (c *Cluster) Folder() string { return c.folder }

// Stop ends the server at once and removes all that it wrote.
func (c *Cluster) Stop() {
	if c.server != nil && c.server.Process != nil {
		_ = c.server.Process.Signal(syscall.SIGQUIT) // at once
		_ = c.server.Wait()
	}
	_ = os.RemoveAll(c.folder)
}

// NewDatabase makes an empty database for a test, and returns its address.
func (c *Cluster) NewDatabase(t testing.TB) string {
	t.Helper()
	if c == nil {
		t.Skip(ErrNotRequested)
	}
	name := fmt.Sprintf("t%d", c.serial.Add(1))
	if err := c.exec("CREATE DATABASE " + name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.exec("DROP DATABASE " + name + " WITH (FORCE)"); err != nil && !strings.Contains(err.Error(), "no such file") {
			t.Error(err)
		}
	})
	return c.address(name)
}
