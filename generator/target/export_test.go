package target

// OnReached has a function called with each step of publications to folders, until the
// test ends it with nil.
func OnReached(f func(step string)) {
	if f == nil {
		f = func(string) {}
	}
	reached = f
}

// Unlock releases the lock of a folder as the end of the process does, and leaves all else.
func (f *Folder) Unlock() { unlockFile(f.lock) }
