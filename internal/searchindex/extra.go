package searchindex

import (
	"compress/flate"
	"strconv"
)

// Extra is records of one word, kept again: those of its best with another
// word that lie so far apart that reading their blocks would be too many
// files. The other words of which Extra holds records are those of one part.
type Extra struct {
	Word    string
	Part    int
	Docs    []uint32 // rising
	Records Block
}

// ManyFiles is how many files a page of ten hits should read at most. Where
// the lists of several words and the blocks of their hits would be more, a
// reader first looks into the Extra of the rarest word.
const ManyFiles = 8

// ExtraFrom is the number of records from which on words have an Extra.
const ExtraFrom = 128

// ExtraRoom is how many blocks a page of ten hits of two words reads at most
// beside their lists and an Extra. A word of a script without spaces is
// several of the index, with as many lists.
func ExtraRoom(a, b string) int {
	if IsPair(a) || IsPair(b) {
		return ManyFiles - 5
	}
	return ManyFiles - 3
}

// ExtraParts is into how many parts the other words of one in count records
// are divided, so that a file stays small.
func ExtraParts(count int) int {
	if count >= 1024 {
		return 2
	}
	return 1
}

// ExtraPart is the part of another word.
func ExtraPart(other string, parts int) int { return int(uint64(hashOf(other)) * uint64(parts) >> 32) }

// ExtraFile is the file, of so many, that holds the Extra of a word and part.
func ExtraFile(word string, part, files int) int {
	return int(uint64(hashOf(word+" "+strconv.Itoa(part))) * uint64(files) >> 32)
}

const extraMagic = "CXT1"

// AppendExtras writes file n after b: its number, the number of Extras and of
// each the word, the part, the number of its records and the gaps between
// them; then the records as block n. Words rise, and the parts of a word.
func AppendExtras(b []byte, n int, extras []Extra, z *flate.Writer) []byte {
	b = appendUint(append(b, extraMagic...), n)
	b = appendUint(b, len(extras))
	var all Block
	for _, x := range extras {
		b = appendText(b, x.Word)
		b = appendUint(b, x.Part)
		b = appendUint(b, len(x.Docs))
		next := uint32(0)
		for _, doc := range x.Docs {
			b = appendUint(b, int(doc-next))
			next = doc + 1
		}
		all = append(all, x.Records...)
	}
	return all.Append(b, n, z)
}

// DecodeExtras reads file n of an index of docs records.
func DecodeExtras(b []byte, n, docs int) ([]Extra, error) {
	r := reader{b: b}
	r.expectMagic(extraMagic)
	r.expectNumber(n)
	k := r.readUint(len(r.b))
	extras := make([]Extra, 0, k)
	total := 0
	for i := 0; i < k && !r.bad; i++ {
		x := Extra{Word: r.readString(), Part: r.readUint(1 << 16), Docs: r.readGaps(docs)}
		if i > 0 && (x.Word < extras[i-1].Word || x.Word == extras[i-1].Word && x.Part <= extras[i-1].Part) {
			r.fail()
		}
		total += len(x.Docs)
		extras = append(extras, x)
	}
	all, err := r.readBlock(n)
	if err != nil || len(all) != total {
		return nil, ErrMalformed
	}
	for i := range extras {
		k := len(extras[i].Docs)
		extras[i].Records, all = all[:k], all[k:]
	}
	return extras, nil
}

// readGaps reads rising numbers below docs, each as the gap after the one before.
func (r *reader) readGaps(docs int) []uint32 {
	n := r.readUint(len(r.b))
	if r.bad || n == 0 {
		return nil
	}
	out := make([]uint32, n)
	next := 0
	for i := range out {
		if next += r.readUint(docs); r.bad || next >= docs {
			r.fail()
			return nil
		}
		out[i] = uint32(next)
		next++
	}
	return out
}
