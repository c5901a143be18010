package target

// OnReached sets a function that is called after each step of publications to
// folders. Nil resets it.
func OnReached(f func(step string)) {
	if f == nil {
		f = func(string) {}
	}
	reached = f
}

// Unlock releases the lock of a folder, as the end of the process does, and
// leaves everything else as it is.
func (f *Folder) Unlock() { unlockFile(f.lock) }
