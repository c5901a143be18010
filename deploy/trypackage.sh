#!/usr/bin/env bash
# trypackage.sh PACKAGE VERSION: installs a deb or rpm as root would, makes a
# registry as the package's user, starts what the unit starts, sends it
# requests, removes the package, and inspects what is left. All of it happens in
# a mount and a network namespace, over a copy of this machine's files that is
# written in memory and ends with the script.
set -euo pipefail
if [ -z "${INSIDE:-}" ]; then
	[ "$(id -u)" = 0 ] || { echo "trypackage.sh: needs root" >&2; exit 1; }
	INSIDE=mount exec unshare --mount --net --pid --fork "$0" "$@"
fi
if [ "$INSIDE" = mount ]; then
	mount -t tmpfs tmpfs /mnt
	mkdir /mnt/{upper,work,root}
	mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work /mnt/root
	mkdir -p /mnt/root/try
	cp "$0" /mnt/root/try/try.sh
	cp "$1" /mnt/root/try/
	mount -t proc proc /mnt/root/proc
	mount --bind /dev /mnt/root/dev
	INSIDE=root exec chroot /mnt/root /try/try.sh "/try/$(basename "$1")" "$2"
fi

say() { printf '== %s\n' "$*"; }
die() { say "$*" >&2; exit 1; }
gone() { [ ! -e "$1" ] || die "$1 is there"; }

package=$1 version=$2
case $package in
*.deb) install=(dpkg --install) remove=(dpkg --purge) ;;
*.rpm) install=(rpm --install --nodeps) remove=(rpm --erase) ;; # rpm's own database is empty here
esac
rm -rf /run/systemd/system # so that no unit of this machine is touched
ip link set lo up
gone /usr/bin/colophon
! getent passwd colophon || die "there is a user colophon already"

say "install"
"${install[@]}" "$package"
[ "$(stat -c '%U:%G %a' /var/lib/colophon)" = "colophon:colophon 700" ] || die "the registry's folder has the wrong owner or mode"
[ "$(stat -c '%U %a' /etc/colophon)" = "root 700" ] || die "the folder of secrets has the wrong owner or mode"
for file in /usr/share/man/man1/colophon-serve.1 /usr/share/bash-completion/completions/colophon /usr/share/zsh/site-functions/_colophon /usr/share/fish/vendor_completions.d/colophon.fish; do
	[ -s "$file" ] || die "$file is missing"
done
colophon version | grep -qF "colophon v$version" || die "the version is another one: $(colophon version)"
if command -v systemd-analyze >/dev/null; then
	said=$(systemd-analyze verify colophon.service colophon-backup.service colophon-backup.timer 2>&1) || die "units: $said"
	[ -z "$said" ] || die "units: $said"
fi

say "make a registry, and start what the unit starts"
user=(setpriv --reuid colophon --regid colophon --init-groups env -i PATH=/usr/bin:/bin COLOPHON_DIR=/var/lib/colophon)
"${user[@]}" colophon init --base-url http://127.0.0.1:8787
"${user[@]}" colophon publisher add harbor-ledger --name "Harbor Ledger" --site-url https://harbor-ledger.example/
"${user[@]}" colophon publisher approve harbor-ledger
"${user[@]}" colophon build
start=$(sed -n 's/^ExecStart=//p' /usr/lib/systemd/system/colophon.service)
"${user[@]}" $start --admin-addr 127.0.0.1:9787 2>/try/log &
server=$!
for _ in $(seq 300); do
	"${user[@]}" colophon doctor --ready 127.0.0.1:9787 >/dev/null 2>&1 && break
	kill -0 $server 2>/dev/null || die "the server ended: $(cat /try/log)"
	sleep 0.1
done
"${user[@]}" colophon doctor --ready 127.0.0.1:9787
"${user[@]}" colophon doctor | grep -E '^ok +reachable' || die "the server does not answer at its address"

say "remove"
kill $server
wait $server || die "the server ended with $?: $(cat /try/log)"
"${remove[@]}" colophon
for file in /usr/bin/colophon /usr/lib/systemd/system/colophon.service /usr/share/man/man1/colophon-serve.1 /usr/share/doc/colophon; do gone "$file"; done
[ -n "$(ls /var/lib/colophon/keys)" ] || die "the signing keys went with the package"
say "$(basename "$package") passed"
