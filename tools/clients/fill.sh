#!/usr/bin/env bash
# fill.sh: adds more than 10,000 pages to the demo in DIR and publishes it
# again. Only the texts of the demo itself are left in DIR/texts, for the worker
# (TEXTS).
set -euo pipefail
cd "$(dirname "$0")/../.."
bin/colophon origin dump --dir "$DIR" --bodies "$DIR/texts" > /dev/null
bin/colophon corpus --quiet --publishers 40 --pages "${PAGES:-9900}" --dir "$DIR" > /dev/null
bin/colophon build --quiet --dir "$DIR" > /dev/null
