package faulttest

import (
	"errors"
	"strconv"
	"sync"
	"testing"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// registry holds open files and disks by what SQLite passes back: the addresses
// of its own structures.
var registry struct {
	sync.Mutex
	disks map[uintptr]*Disk    // by sqlite3_vfs
	files map[uintptr]openFile // by sqlite3_file
	count int
}

type openFile struct {
	disk *Disk
	path string
	temp bool // is not on the disk
	base *sqlite3.Tsqlite3_io_methods
}

// system is the VFS of the operating system; methods are the methods of its
// files, with those of this package replacing some.
var (
	systemAt uintptr
	system   *sqlite3.Tsqlite3_vfs
	methods  = map[uintptr]uintptr{} // by those of the system
)

// New registers a disk, whose Name goes into a data source name: "vfs=NAME".
func New(t testing.TB) *Disk {
	t.Helper()
	d := &Disk{files: map[string]*file{}}
	if err := register(d); err != nil {
		t.Fatal(err)
	}
	return d
}

// Default registers a disk that SQLite uses wherever no other is named, until
// the test ends.
func Default(t testing.TB) *Disk {
	t.Helper()
	d := New(t)
	setDefault(d.at)
	t.Cleanup(func() { setDefault(systemAt) })
	return d
}

func setDefault(vfs uintptr) {
	tls := libc.NewTLS()
	defer tls.Close()
	sqlite3.Xsqlite3_vfs_register(tls, vfs, 1)
}

// Name returns the name of the VFS.
func (d *Disk) Name() string { return d.name }

func register(d *Disk) error {
	registry.Lock()
	defer registry.Unlock()
	tls := libc.NewTLS()
	defer tls.Close()
	if registry.disks == nil {
		registry.disks, registry.files = map[uintptr]*Disk{}, map[uintptr]openFile{}
		if rc := sqlite3.Xsqlite3_initialize(tls); rc != sqlite3.SQLITE_OK {
			return errors.New("sqlite3_initialize: " + strconv.Itoa(int(rc)))
		}
		systemAt = sqlite3.Xsqlite3_vfs_find(tls, 0)
		system = (*sqlite3.Tsqlite3_vfs)(pointer(systemAt))
	}
	registry.count++
	d.name = "fault" + strconv.Itoa(registry.count)

	// Memory allocated by C that is never freed, because SQLite keeps it.
	at := libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(*system)))
	name, err := libc.CString(d.name)
	if at == 0 || err != nil {
		return errors.New("no memory for a VFS")
	}
	v := (*sqlite3.Tsqlite3_vfs)(pointer(at))
	*v = *system
	v.FpNext, v.FzName = 0, name
	v.FxOpen = function(vfsOpen)
	v.FxDelete = function(vfsDelete)
	v.FxSleep = function(vfsSleep)
	d.at = at
	registry.disks[at] = d
	if rc := sqlite3.Xsqlite3_vfs_register(tls, at, 0); rc != sqlite3.SQLITE_OK {
		return errors.New("sqlite3_vfs_register: " + strconv.Itoa(int(rc)))
	}
	return nil
}

// pointer returns a C address as a pointer.
func pointer(at uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&at)) }

// function returns the address of a Go function as translated C code calls it.
func function(f any) uintptr { return (*[2]uintptr)(unsafe.Pointer(&f))[1] }

// call returns the function at an address that translated C code provided.
func call[F any](at uintptr) F { return *(*F)(unsafe.Pointer(&struct{ uintptr }{at})) }

func diskOf(vfs uintptr) *Disk {
	registry.Lock()
	defer registry.Unlock()
	return registry.disks[vfs]
}

func fileOf(at uintptr) openFile {
	registry.Lock()
	defer registry.Unlock()
	return registry.files[at]
}

// methodsOver copies the methods of the system's files, with those that can
// fail replaced.
func methodsOver(tls *libc.TLS, base uintptr) uintptr {
	registry.Lock()
	defer registry.Unlock()
	if m := methods[base]; m != 0 {
		return m
	}
	from := (*sqlite3.Tsqlite3_io_methods)(pointer(base))
	at := libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(*from)))
	m := (*sqlite3.Tsqlite3_io_methods)(pointer(at))
	*m = *from
	m.FxClose = function(fileClose)
	m.FxWrite = function(fileWrite)
	m.FxTruncate = function(fileTruncate)
	m.FxSync = function(fileSync)
	m.FxShmLock, m.FxShmMap = function(fileShmLock), function(fileShmMap)
	methods[base] = at
	return at
}

func vfsOpen(tls *libc.TLS, vfs, name, at uintptr, flags int32, outFlags uintptr) int32 {
	d := diskOf(vfs)
	d.mu.Lock()
	defer d.mu.Unlock()
	handle := (*sqlite3.Tsqlite3_file)(pointer(at))
	handle.FpMethods = 0
	temp := name == 0
	if !temp && d.fail(Open) {
		return sqlite3.SQLITE_CANTOPEN
	}
	rc := call[func(*libc.TLS, uintptr, uintptr, uintptr, int32, uintptr) int32](system.FxOpen)(tls, vfs, name, at, flags, outFlags)
	if rc != sqlite3.SQLITE_OK || handle.FpMethods == 0 {
		return rc
	}
	f := openFile{disk: d, temp: temp, base: (*sqlite3.Tsqlite3_io_methods)(pointer(handle.FpMethods))}
	if !temp {
		f.path = libc.GoString(name)
		d.of(f.path)
	}
	handle.FpMethods = methodsOver(tls, handle.FpMethods)
	registry.Lock()
	defer registry.Unlock()
	registry.files[at] = f
	return rc
}

func vfsDelete(tls *libc.TLS, vfs, name uintptr, syncDir int32) int32 {
	d := diskOf(vfs)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.fail(Delete) {
		return sqlite3.SQLITE_IOERR_DELETE
	}
	rc := call[func(*libc.TLS, uintptr, uintptr, int32) int32](system.FxDelete)(tls, vfs, name, syncDir)
	if rc == sqlite3.SQLITE_OK {
		delete(d.files, libc.GoString(name))
	}
	return rc
}

// vfsSleep returns at once: SQLite sleeps while another program holds a lock,
// and here the plan decides that.
func vfsSleep(tls *libc.TLS, vfs uintptr, microseconds int32) int32 {
	d := diskOf(vfs)
	d.mu.Lock()
	planned := d.plan.Fault == Busy && d.plan.From > 0
	d.mu.Unlock()
	if planned {
		return microseconds
	}
	return call[func(*libc.TLS, uintptr, int32) int32](system.FxSleep)(tls, vfs, microseconds)
}

func fileClose(tls *libc.TLS, at uintptr) int32 {
	f := fileOf(at)
	registry.Lock()
	delete(registry.files, at)
	registry.Unlock()
	return call[func(*libc.TLS, uintptr) int32](f.base.FxClose)(tls, at)
}

func fileWrite(tls *libc.TLS, at, data uintptr, size int32, offset int64) int32 {
	f := fileOf(at)
	write := call[func(*libc.TLS, uintptr, uintptr, int32, int64) int32](f.base.FxWrite)
	if f.temp {
		return write(tls, at, data, size, offset)
	}
	d := f.disk
	d.mu.Lock()
	defer d.mu.Unlock()
	fault := d.plan.Fault
	fails := d.fail(Write)
	switch {
	case fails && fault == IO:
		return sqlite3.SQLITE_IOERR_WRITE
	case fails && fault == Short:
		size /= 2
	case fails:
		return sqlite3.SQLITE_FULL
	}
	rc := write(tls, at, data, size, offset)
	if rc == sqlite3.SQLITE_OK {
		bytes := append([]byte{}, unsafe.Slice((*byte)(pointer(data)), size)...)
		file := d.of(f.path)
		file.pending = append(file.pending, change{offset, bytes})
	}
	if fails {
		return sqlite3.SQLITE_FULL
	}
	return rc
}

func fileTruncate(tls *libc.TLS, at uintptr, size int64) int32 {
	f := fileOf(at)
	truncate := call[func(*libc.TLS, uintptr, int64) int32](f.base.FxTruncate)
	if f.temp {
		return truncate(tls, at, size)
	}
	d := f.disk
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.fail(Truncate) {
		return sqlite3.SQLITE_IOERR_TRUNCATE
	}
	rc := truncate(tls, at, size)
	if rc == sqlite3.SQLITE_OK {
		file := d.of(f.path)
		file.pending = append(file.pending, change{at: size})
	}
	return rc
}

// fileSync only records what is safe from now on, because the loss of power is
// simulated.
func fileSync(_ *libc.TLS, at uintptr, _ int32) int32 {
	f := fileOf(at)
	if f.temp {
		return sqlite3.SQLITE_OK
	}
	d := f.disk
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.fail(Sync) {
		return sqlite3.SQLITE_IOERR_FSYNC
	}
	d.of(f.path).sync()
	return sqlite3.SQLITE_OK
}

// fileShmLock takes a lock in the index of the log. The first is that of the
// only writer.
func fileShmLock(tls *libc.TLS, at uintptr, offset, n, flags int32) int32 {
	const writer, taken = 0, sqlite3.SQLITE_SHM_LOCK | sqlite3.SQLITE_SHM_EXCLUSIVE
	f := fileOf(at)
	if offset == writer && flags == taken && f.disk.failLock() {
		return sqlite3.SQLITE_BUSY
	}
	return call[func(*libc.TLS, uintptr, int32, int32, int32) int32](f.base.FxShmLock)(tls, at, offset, n, flags)
}

func (d *Disk) failLock() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.fail(Lock)
}

func fileShmMap(tls *libc.TLS, at uintptr, region, size, extend int32, out uintptr) int32 {
	f := fileOf(at)
	d := f.disk
	d.mu.Lock()
	defer d.mu.Unlock()
	if extend != 0 && d.fail(Memory) {
		return sqlite3.SQLITE_IOERR_SHMSIZE
	}
	return call[func(*libc.TLS, uintptr, int32, int32, int32, uintptr) int32](f.base.FxShmMap)(tls, at, region, size, extend, out)
}
