#!/usr/bin/env bash
# fetch.sh SITES DIR: downloads the packages of a list of sites by name and
# version, and unpacks them without installing anything.
set -euo pipefail
sites=$(realpath "$1")
dir=$(mkdir -p "$2" && realpath "$2")

grep -v '^#' "$sites" | cut -f 2-4 | sort -u | while IFS=$'\t' read -r registry package version; do
	[ -e "$dir/$package" ] && continue
	work=$(mktemp -d)
	case $registry in
	apt)
		if ! (cd "$work" && apt-get download -q "$package=$version" >/dev/null 2>&1); then
			echo "$package $version is not offered any more: its pages may differ from the list" >&2
			(cd "$work" && apt-get download -q "$package" >/dev/null)
		fi
		dpkg-deb -x "$work"/*.deb "$work/root"
		;;
	npm)
		(cd "$work" && npm pack --silent "$package@$version" >/dev/null && mkdir root && tar -xzf ./*.tgz -C root)
		;;
	go)
		mkdir "$work/root"
		cp -r "$(cd "$work" && GOFLAGS=-modcacherw go mod download -json "$package@$version" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')" "$work/root/module"
		;;
	*)
		echo "unknown registry $registry" >&2
		exit 1
		;;
	esac
	mv "$work/root" "$dir/$package"
	rm -rf "$work"
done
