package manual

import (
	"runtime/debug"
	"testing"
)

func TestVersionOfBuilds(t *testing.T) {
	for name, tc := range map[string]struct {
		info debug.BuildInfo
		want string
	}{
		"a release": {
			debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{
				{Key: "vcs.revision", Value: "0123abc"}, {Key: "vcs.time", Value: "2026-11-27T04:00:00Z"}, {Key: "vcs.modified", Value: "false"},
			}},
			"colophon v1.2.3\ncommit   0123abc\ndate     2026-11-27T04:00:00Z\nAPI      18.10.1\n",
		},
		"changed since": {
			debug.BuildInfo{Main: debug.Module{Version: "(devel)"}, Settings: []debug.BuildSetting{
				{Key: "vcs.revision", Value: "0123abc"}, {Key: "vcs.time", Value: "2026-11-27T04:00:00Z"}, {Key: "vcs.modified", Value: "true"},
			}},
			"colophon (devel)\ncommit   0123abc, with changes that are not committed\ndate     2026-11-27T04:00:00Z\nAPI      18.10.1\n",
		},
		"without a repository": {debug.BuildInfo{}, "colophon (devel)\ncommit   not recorded\ndate     not recorded\nAPI      18.10.1\n"},
	} {
		if got := newVersion(&tc.info).Text(); got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}
