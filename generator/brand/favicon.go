package brand

import "encoding/binary"

// faviconSize is the width and height of the icon in favicon.ico, in pixels.
const faviconSize = 32

// Favicon returns favicon.ico, which browsers and link previews request by
// default: a directory of one entry, the icon as PNG.
func Favicon(ink Colour) ([]byte, error) {
	icon, err := Icon(faviconSize, ink)
	if err != nil {
		return nil, err
	}
	const header = 6 + 16
	b := []byte{0, 0, 1, 0, 1, 0, faviconSize, faviconSize, 0, 0, 1, 0, 32, 0}
	b = binary.LittleEndian.AppendUint32(b, uint32(len(icon)))
	b = binary.LittleEndian.AppendUint32(b, header)
	return append(b, icon...), nil
}
