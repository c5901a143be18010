//go:build unix

package generator

import (
	"os"
	"syscall"
)

// writeFile writes a file as os.WriteFile does, with three system calls for eight:
// that one asks whether the file can be waited for, which no regular file can.
func writeFile(path string, data []byte) error {
	fd, err := retry(func() (int, error) {
		return syscall.Open(path, syscall.O_WRONLY|syscall.O_CREAT|syscall.O_TRUNC|syscall.O_CLOEXEC, 0o644)
	})
	if err != nil {
		return &os.PathError{Op: "open", Path: path, Err: err}
	}
	for len(data) > 0 {
		n, err := retry(func() (int, error) { return syscall.Write(fd, data) })
		if err != nil {
			syscall.Close(fd)
			return &os.PathError{Op: "write", Path: path, Err: err}
		}
		data = data[n:]
	}
	if err := syscall.Close(fd); err != nil {
		return &os.PathError{Op: "close", Path: path, Err: err}
	}
	return nil
}

// retry makes a system call again that a signal interrupted.
func retry(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if err != syscall.EINTR {
			return n, err
		}
	}
}
