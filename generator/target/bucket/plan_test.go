package bucket

import (
	"crypto/sha256"
	"reflect"
	"slices"
	"testing"
	"time"

	"colophon/generator/target"
	"colophon/internal/assert"
)

func sumOf(text string) [32]byte { return sha256.Sum256([]byte(text)) }

func objectOf(key, text string) object {
	return object{Key: key, SHA256: sumOf(text), Size: int64(len(text)), Headers: headersOf(key).digestName()}
}

func TestList(t *testing.T) {
	l := &list{
		Objects: []object{objectOf("a/b.json", "one"), objectOf("name with spaces.txt", "two")},
		Waiting: []waiting{{Object: objectOf("old key.json", "three"), Since: start}, {Object: object{Key: "x", Headers: target.NoHeaders}, Since: start}},
	}
	data, name, err := l.encodeList()
	must(t, err)
	got, err := decodeList(data, name)
	must(t, err)
	if !reflect.DeepEqual(got, l) {
		t.Errorf("read %+v\nof   %+v", got, l)
	}
	if again, sameName, _ := l.encodeList(); string(again) != string(data) || sameName != name {
		t.Error("the same list is spelled otherwise")
	}
	data[len(data)/2] ^= 1
	assert.ErrorIs(t, assert.Err(decodeList(data, name)), target.ErrDamaged, "a list with another bit")
	for _, line := range []string{"", "-", "- x y", "00 1 h a", "- 1 00 1 h a", line64 + " -1 h a", line64 + " 1 h ../a", line64 + " 1 h"} {
		assert.ErrorIs(t, new(target.List).AddLine(line), target.ErrDamaged, "the line %q", line)
	}
}

const line64 = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

func TestPlan(t *testing.T) {
	const page, index = "v1/x.json", "_ix/0123456789abcdef/a.idx"
	hour := start.Add(-time.Hour)
	for _, tc := range []struct {
		name      string
		c         comparison
		phases    [phases][]string
		unchanged int
		waiting   []string
		due       []string
	}{
		{
			name:   "everything is new",
			c:      comparison{wanted: []object{objectOf(page, "1"), objectOf(index, "1"), objectOf("v1/_index.json", "1"), objectOf("ledger/checkpoint", "1")}},
			phases: [phases][]string{{index}, {page}, nil, {"ledger/checkpoint", "v1/_index.json"}},
		},
		{
			name:      "nothing differs",
			c:         comparison{wanted: []object{objectOf(page, "1")}, before: list{Objects: []object{objectOf(page, "1")}}},
			unchanged: 1,
		},
		{
			name:   "other content, and other headers",
			c:      comparison{wanted: []object{objectOf(page, "2"), objectOf("b.json", "1")}, before: list{Objects: []object{objectOf(page, "1"), {Key: "b.json", SHA256: sumOf("1"), Size: 1, Headers: "other"}}}},
			phases: [phases][]string{phaseChanged: {page, "b.json"}},
		},
		{
			name:    "gone",
			c:       comparison{before: list{Objects: []object{objectOf(index, "1"), objectOf(page, "1")}}},
			waiting: []string{index, page},
			due:     []string{page},
		},
		{
			name:    "gone for too short, and for long enough",
			c:       comparison{before: list{Waiting: []waiting{{Object: objectOf("assets/long.js", "1"), Since: start.Add(-2 * time.Hour)}, {Object: objectOf("assets/short.js.gz", "1"), Since: hour.Add(time.Second)}}}},
			waiting: []string{"assets/long.js", "assets/short.js.gz"},
			due:     []string{"assets/long.js"},
		},
		{
			name:    "a page that waits, as one did in earlier versions",
			c:       comparison{before: list{Waiting: []waiting{{Object: objectOf(page, "1"), Since: start}}}},
			waiting: []string{page},
			due:     []string{page},
		},
		{
			name:      "back again, as it was",
			c:         comparison{wanted: []object{objectOf(page, "1")}, before: list{Waiting: []waiting{{Object: objectOf(page, "1"), Since: hour}}}},
			unchanged: 1,
		},
		{
			name:   "back again, and other",
			c:      comparison{wanted: []object{objectOf(page, "2")}, before: list{Waiting: []waiting{{Object: objectOf(page, "1"), Since: hour}}}},
			phases: [phases][]string{phaseAdded: {page}},
		},
		{
			name:   "as it was, but a killed publisher may have changed it",
			c:      comparison{wanted: []object{objectOf(page, "1")}, before: list{Objects: []object{objectOf(page, "1")}}, doubted: map[string]bool{page: true}},
			phases: [phases][]string{phaseChanged: {page}}, unchanged: 1,
		},
		{
			name:    "left by a killed publisher",
			c:       comparison{doubted: map[string]bool{page: true}},
			waiting: []string{page},
			due:     []string{page},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.c.now, tc.c.grace = start, time.Hour
			p := newPlan(tc.c)
			p.sortRoots()
			for at, tasks := range p.tasks {
				var keys []string
				for _, task := range tasks {
					keys = append(keys, task.Key)
					assert.Equal(t, task.doubted, tc.c.doubted[task.Key], "%s is doubted", task.Key)
				}
				assert.EqualSlices(t, keys, tc.phases[at], "phase %d stores", at)
			}
			var waits []string
			for _, w := range p.next.Waiting {
				waits = append(waits, w.Key)
			}
			if p.unchanged != tc.unchanged || !slices.Equal(waits, tc.waiting) || !slices.Equal(p.due, tc.due) {
				t.Errorf("%d unchanged, %v wait, %v are due", p.unchanged, waits, p.due)
			}
			if len(p.next.Objects) != len(tc.c.wanted) {
				t.Errorf("the next list has %d objects", len(p.next.Objects))
			}
		})
	}
}

// TestPlanForgetsDoubted checks that an object is stored again if a killed
// publisher may have changed it.
func TestPlanForgetsDoubted(t *testing.T) {
	c := comparison{before: list{Objects: []object{objectOf("a.json", "1")}}, doubted: map[string]bool{"a.json": true}, now: start, grace: time.Hour}
	between := newPlan(c)
	p := newPlan(comparison{wanted: []object{objectOf("a.json", "1")}, before: between.next, now: start, grace: time.Hour})
	assert.Equal(t, p.countTasks(), 1, "it is taken for what it was")
}

func TestEveryKeyHasAPhase(t *testing.T) {
	for key, want := range map[string]bool{"v1/_index.json": true, "v1/_packs.json": true, "_packs/00/1.pack": false, "_sandbox/v1/_index.json": true, "ledger/checkpoint": true, "v1/_index.json.gz": true, "index.html": false, "_ix/1/root.idx": false} {
		if IsRoot(key) != want {
			t.Errorf("%s: IsRoot is %v", key, !want)
		}
	}
	for key, want := range map[string]bool{"assets/a.js": true, "_ix/1/root.idx": true, "ledger/tile/0/000": true, "v1/a.json": false, "ledger/checkpoint": false} {
		if target.IsImmutable(key) != want {
			t.Errorf("%s: IsImmutable is %v", key, !want)
		}
	}
}
