#!/usr/bin/env bash
# fill.sh: lets the demo in DIR grow beyond 10,000 pages and publishes it again.
# The texts of the demo alone are left in DIR/texts, for the worker (TEXTS).
set -euo pipefail
cd "$(dirname "$0")/../.."
bin/colophon origin dump --dir "$DIR" --bodies "$DIR/texts" > /dev/null
bin/colophon corpus --quiet --publishers 40 --pages "${PAGES:-9900}" --dir "$DIR" > /dev/null
bin/colophon build --quiet --dir "$DIR" > /dev/null
