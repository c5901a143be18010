#!/bin/sh
# Runs before the package is removed or upgraded; an upgrade stops nothing. dpkg
# passes "remove", rpm the number of packages that will be left.
set -e
case "$1" in
remove | 0) ;;
*) exit 0 ;;
esac
if [ -d /run/systemd/system ]; then
	systemctl disable --now colophon.service colophon-backup.timer
fi
