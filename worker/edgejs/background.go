//go:build js && wasm

package edgejs

var (
	running   int
	backEnded = make(chan struct{}, 1)
)

// Background runs f beside and after the answer; the instance is not reused
// before it ends. The runtime allows it 30 seconds after the answer.
func Background(f func()) {
	running++
	go func() {
		f()
		running--
		select {
		case backEnded <- struct{}{}:
		default:
		}
	}()
}

func finishBackground() {
	for running > 0 {
		<-backEnded
	}
}
