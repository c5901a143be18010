#!/usr/bin/env bash
# trycompose.sh SOURCE VERSITYGW: builds the image from a clone with podman and
# inspects it, then follows the steps at the head of compose.yaml with
# docker-compose, once with the origin in a volume and once with Postgres.
# Images, volumes and networks lie in a folder and in namespaces that end with
# the script.
#
# No registry is contacted. The images that the two files name are made from
# programs of this machine: "golang" with its module and build caches,
# VERSITYGW, and Debian's Postgres with the few lines of the official image's
# entrypoint that are used here.
set -euo pipefail
if [ -z "${INSIDE:-}" ]; then
	[ "$(id -u)" = 0 ] || { echo "trycompose.sh: needs root" >&2; exit 1; }
	go -C "$1" mod download
	INSIDE=1 exec unshare --mount --net --pid --fork --mount-proc "$0" "$@"
fi
source=$1 versitygw=$2
say() { printf '== %s\n' "$*"; }
die() { say "$*" >&2; exit 1; }

ip link set lo up
mount -t tmpfs tmpfs /run
umount /sys/fs/cgroup/unified 2>/dev/null || true # crun refuses a machine with both cgroup versions
store=$(mktemp -d)
root=$store/root # the root folder of the image being made
printf '[storage]\ndriver = "overlay"\ngraphroot = "%s/graph"\nrunroot = "%s/run"\n' "$store" "$store" > "$store/storage.conf"
limit=$(ulimit -Hn)
printf '[containers]\ndefault_ulimits = ["nofile=%d:%d", "nproc=1024:1024"]\n[engine]\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\n[network]\nnetwork_config_dir = "%s/networks"\n' \
	"$limit" "$limit" "$store" > "$store/containers.conf"
export CONTAINERS_STORAGE_CONF=$store/storage.conf CONTAINERS_CONF=$store/containers.conf DOCKER_HOST=unix:///run/podman.sock
export COLOPHON_BACKUP_RECIPIENT=age1mmzlpcgmqh05rq82tlezrewlhctjhzz8a3tq6z0rdgcvlluxeyeqa5a0q8 S3_ACCESS_KEY=test S3_SECRET_KEY=secret-of-the-test
compose() { docker-compose --ansi never --file "$source/deploy/compose.yaml" "$@"; }
clean() {
	COMPOSE_PROFILES=postgres compose down --volumes > /dev/null 2>&1 || true
	podman image unmount --all > /dev/null
	rm -rf "$store"
}
trap clean EXIT

# put PROGRAM… copies programs into the image, with the libraries that they
# load.
put() {
	mkdir -p "$root"/{bin,etc,tmp}
	chmod 1777 "$root/tmp"
	ldd "$@" | grep -oE '/[^ ]+\.so[^ ]*' | sort -u | xargs cp --parents --dereference --target-directory "$root"
	cp --dereference "$@" "$root/bin"
}

# made IMAGE INSTRUCTION… finishes the image and imports it into podman.
made() {
	tar -C "$root" -c . | podman import --quiet "${@:2}" - "$1" > /dev/null
	rm -rf "$root"
}

# named SERVICE prints the image of a service of the compose file.
named() { sed -n "/^  $1:/,/^  [a-z]/s/^    image: //p" "$source/deploy/compose.yaml"; }

say "images"
mkdir -p "$root"/{usr,etc/ssl/certs,tmp,src,root,proc,dev}
for link in bin lib lib64 sbin; do ln -s "usr/$link" "$root/$link"; done
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
echo "root:x:0:0:root:/root:/bin/sh" > "$root/etc/passwd"
modules=$(go env GOMODCACHE) cache=$(go env GOCACHE)
made docker.io/library/golang:1.26 --change "ENV PATH=$(go env GOROOT)/bin:/usr/bin:/bin HOME=/root GOPROXY=off GOTOOLCHAIN=local GOMODCACHE=$modules GOCACHE=$cache"

put "$versitygw"
mkdir "$root/objects"
made "docker.io/$(named s3)" --change 'ENTRYPOINT ["/bin/versitygw"]'

programs=$(echo /usr/lib/postgresql/*/bin | tail -n 1)
put /bin/sh "$programs/postgres" "$programs/initdb" "$programs/pg_isready"
cp -r --parents "${programs%/bin}" /usr/share/postgresql /usr/share/zoneinfo "$root"
rm -f "$root${programs%/bin}"/lib/llvmjit*
echo "postgres:x:999:999::/:/bin/sh" > "$root/etc/passwd"
mkdir -p "$root/var/lib/postgresql/data"
chown -R 999:999 "$root/var/lib/postgresql"
cat > "$root/bin/entry" <<'ENTRY'
#!/bin/sh
set -eu
export PGDATA=/var/lib/postgresql/data
if [ ! -s "$PGDATA/PG_VERSION" ]; then
	echo "$POSTGRES_PASSWORD" > /tmp/password
	initdb --username="$POSTGRES_USER" --pwfile=/tmp/password --auth=scram-sha-256 --encoding=UTF8 --no-locale
	echo "CREATE DATABASE $POSTGRES_DB" | postgres --single postgres
	echo "host all all all scram-sha-256" >> "$PGDATA/pg_hba.conf"
fi
exec postgres -c listen_addresses='*' -c unix_socket_directories=
ENTRY
chmod 755 "$root/bin/entry"
made "docker.io/library/$(named postgres)" --change "ENV PATH=$programs:/bin" --change 'USER 999:999' --change 'VOLUME /var/lib/postgresql/data' --change 'ENTRYPOINT ["/bin/entry"]'

podman build --quiet --isolation chroot --pull=never --format docker --volume /usr:/usr:ro --volume "$modules:$modules" --volume "$cache:$cache" \
	--file "$source/deploy/Containerfile" --tag colophon "$source" > /dev/null

say "what is in the image"
field() { podman image inspect --format "{{$1}}" colophon; }
[ "$(field .Config.User)" = 65532:65532 ] || die "the user is $(field .Config.User)"
[ "$(field .Config.Volumes)" = "map[/var/lib/colophon:{}]" ] || die "the volumes are $(field .Config.Volumes)"
files=$(podman image mount colophon)
have=$(cd "$files" && find . -type f | sort | tr '\n' ' ')
[ "$have" = "./etc/ssl/certs/ca-certificates.crt ./usr/local/bin/colophon " ] || die "the image holds $have"
[ "$(cd "$files" && stat -c '%u:%g %a' var/lib/colophon tmp usr/local/bin/colophon | tr '\n' ' ')" = "65532:65532 700 0:0 1777 0:0 755 " ] ||
	die "owners and modes: $(cd "$files" && stat -c '%n %u:%g %a' var/lib/colophon tmp usr/local/bin/colophon)"
podman run --rm colophon version | grep -qF "$(git -C "$source" rev-parse HEAD)" || die "the version does not tell the commit: $(podman run --rm colophon version)"
podman run --rm colophon doctor --ready 127.0.0.1:9787 2> /dev/null && die "the health check passes without a server"

# healthy SERVICE waits until the service's health check passes and prints its
# container.
healthy() {
	local container
	container=$(compose ps -q "$1")
	for _ in $(seq 300); do
		podman healthcheck run "$container" > /dev/null 2>&1 && echo "$container" && return
		[ "$(podman inspect --format '{{.State.Running}}' "$container")" = true ] || break
		sleep 0.1
	done
	die "$1 is not healthy: $(compose logs "$1")"
}

# serve makes a registry, serves it as compose.yaml says, and asks it.
serve() {
	colophon() { compose run --rm -T colophon "$@"; }
	colophon init --base-url http://127.0.0.1:8787
	colophon publisher add harbor-ledger --name "Harbor Ledger" --site-url https://harbor-ledger.example/
	colophon publisher approve harbor-ledger
	colophon build
	compose up -d
	server=$(healthy colophon)
	podman exec "$server" /usr/local/bin/colophon doctor | grep -E '^ok +reachable' || die "the server does not answer at its address"
	curl -sf http://127.0.0.1:8787/publishers/harbor-ledger/ | grep -q "Harbor Ledger" || die "the published port does not lead to the server"
}

podman system service --time 0 "$DOCKER_HOST" 2> "$store/service.log" &
for _ in $(seq 100); do [ -S /run/podman.sock ] && break; sleep 0.1; done

say "with the origin in a volume"
serve
compose run --rm -T backup
objects=$(podman volume inspect --format '{{.Mountpoint}}' deploy_objects)
[ -n "$(find "$objects/colophon" -type f -size +1k)" ] || die "no backup is in the bucket: $(find "$objects")"
compose stop colophon
[ "$(podman inspect --format '{{.State.ExitCode}}' "$server")" = 0 ] || die "the server ended with $(podman inspect --format '{{.State.ExitCode}}' "$server"): $(compose logs colophon)"
compose down --volumes

say "with the origin in Postgres"
export COLOPHON_ORIGIN=postgres://colophon@postgres/colophon POSTGRES_PASSWORD=password-of-the-test COMPOSE_PROFILES=postgres
compose up -d postgres
healthy postgres
serve
[ ! -e "$(podman volume inspect --format '{{.Mountpoint}}' deploy_registry)/origin.db" ] || die "the origin is a file"
say "passed"
