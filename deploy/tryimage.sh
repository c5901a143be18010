#!/usr/bin/env bash
# tryimage.sh SOURCE: builds the image from a clone with buildah, and starts it the
# way an engine would, as its user in its files alone, in a network namespace. Images
# lie in a store that ends with the script.
#
# No registry is asked: the image "golang:1.26" is one whose commands are those of
# this machine, with its caches of modules and of the compiler.
set -euo pipefail
if [ -z "${INSIDE:-}" ]; then
	[ "$(id -u)" = 0 ] || { echo "tryimage.sh: needs root" >&2; exit 1; }
	go -C "$1" mod download
	INSIDE=1 exec unshare --mount --net --pid --fork --mount-proc "$0" "$@"
fi
source=$1
ip link set lo up
store=$(mktemp -d)
trap 'rm -rf "$store"' EXIT
buildah() { command buildah --storage-driver vfs --root "$store/root" --runroot "$store/run" "$@"; }
die() { printf '== %s\n' "$*" >&2; exit 1; }

go_root=$(go env GOROOT) modules=$(go env GOMODCACHE) cache=$(go env GOCACHE)
base=$(buildah from scratch)
files=$(buildah mount "$base")
mkdir -p "$files"/{usr,etc/ssl/certs,tmp,src,root,proc,dev}
for link in bin lib lib64 sbin; do ln -s "usr/$link" "$files/$link"; done
cp /etc/ssl/certs/ca-certificates.crt "$files/etc/ssl/certs/"
echo "root:x:0:0:root:/root:/bin/sh" > "$files/etc/passwd"
buildah config --env "PATH=$go_root/bin:/usr/bin:/bin" --env HOME=/root --env GOPROXY=off --env GOTOOLCHAIN=local \
	--env "GOMODCACHE=$modules" --env "GOCACHE=$cache" "$base"
buildah commit --quiet "$base" docker.io/library/golang:1.26 > /dev/null
buildah rm "$base" > /dev/null

buildah build --quiet --isolation chroot --pull-never --format docker --volume /usr:/usr:ro --volume "$modules:$modules" --volume "$cache:$cache" \
	--file "$source/deploy/Containerfile" --tag colophon "$source"

field() { buildah inspect --type image --format "{{$1}}" colophon; }
[ "$(field .Docker.Config.User)" = 65532:65532 ] || die "the user is $(field .Docker.Config.User)"
[ "$(field .Docker.Config.Volumes)" = "map[/var/lib/colophon:{}]" ] || die "the volumes are $(field .Docker.Config.Volumes)"
health=$(field 'range .Docker.Config.Healthcheck.Test}}{{.}} {{end')
[ "${health%% *}" = CMD ] || die "the health check is $health"
command=$(field 'range .Docker.Config.Cmd}}{{.}} {{end')

container=$(buildah from --pull-never colophon)
root=$(buildah mount "$container")
have=$(cd "$root" && find . -type f | sort | tr '\n' ' ')
[ "$have" = "./etc/ssl/certs/ca-certificates.crt ./usr/local/bin/colophon " ] || die "the image holds $have"
[ "$(stat -c '%u:%g %a' "$root/var/lib/colophon" "$root/tmp" "$root/usr/local/bin/colophon" | tr '\n' ' ')" = "65532:65532 700 0:0 1777 0:0 755 " ] ||
	die "owners and modes: $(stat -c '%n %u:%g %a' "$root/var/lib/colophon" "$root/tmp" "$root/usr/local/bin/colophon")"
image=(env -i COLOPHON_DIR=/var/lib/colophon "$(command -v chroot)" --userspec=65532:65532 "$root")
colophon() { "${image[@]}" /usr/local/bin/colophon "$@"; }

colophon version | grep -qF "$(git -C "$source" rev-parse HEAD)" || die "the version does not tell the commit: $(colophon version)"
colophon init --base-url http://127.0.0.1:8787
colophon publisher add harbor-ledger --name "Harbor Ledger" --site-url https://harbor-ledger.example/
colophon publisher approve harbor-ledger
colophon build
"${image[@]}" ${health#CMD } 2>/dev/null && die "the health check passes without a server"
"${image[@]}" /usr/local/bin/colophon $command 2> "$store/log" &
server=$!
for _ in $(seq 300); do
	"${image[@]}" ${health#CMD } > /dev/null 2>&1 && break
	kill -0 $server 2>/dev/null || die "the server ended: $(cat "$store/log")"
	sleep 0.1
done
"${image[@]}" ${health#CMD }
colophon doctor | grep -E '^ok +reachable' || die "the server does not answer at its address"
colophon backup --to /tmp/backups --recipient age1mmzlpcgmqh05rq82tlezrewlhctjhzz8a3tq6z0rdgcvlluxeyeqa5a0q8
kill $server
wait $server || die "the server ended with $?: $(cat "$store/log")"
