# Sourced after node.sh: finds or makes a TinyGo and sets
#   TINYGO      the command
#   TARGET      the target description to build with
#   TINYGOROOT  (only for one made here)
# Uses ROOT. Nothing is written inside the repository.
#
# COLOPHON_TINYGO=build skips the search; COLOPHON_TINYGO=/path/to/tinygo names one.

TINYGO_VERSION=0.41.1
LLVM=19
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/colophon
PACKAGES="llvm-$LLVM-dev libclang-$LLVM-dev clang-$LLVM lld-$LLVM wasi-libc libclang-rt-$LLVM-dev-wasm32"
WASI_LIBC=/usr/lib/wasm32-wasi/libc.a
BUILTINS=/usr/lib/llvm-$LLVM/lib/clang/$LLVM/lib/wasi/libclang_rt.builtins-wasm32.a

# The boot image relies on the names of the allocator's variables, so only the
# release line it was tested with is accepted.
tinygo_fits() {
  case $("$1" version 2>/dev/null) in
    "tinygo version 0.41."*) ;;
    *) return 1 ;;
  esac
  [ -d "$("$1" env TINYGOROOT 2>/dev/null)/lib/wasi-libc" ]
}

use_installed() {
  TINYGO=$1
  mkdir -p "$CACHE"
  TARGET=$CACHE/target-installed.json
  cat > "$TARGET" <<'JSON'
{ "inherits": ["wasm"], "gc": "leaking", "scheduler": "asyncify", "default-stack-size": 65536, "ldflags": ["--max-memory=33554432"] }
JSON
  say "using $("$TINYGO" version | cut -d' ' -f1-3) at $TINYGO"
}

explain_and_stop() {
  say "no way to build the worker on this machine: $1"
  say "either install TinyGo $TINYGO_VERSION (https://tinygo.org/getting-started/install/) so that 'tinygo' is on the PATH,"
  say "or, on Debian or Ubuntu, let it be built here after:"
  say "  sudo apt-get install -y --no-install-recommends $PACKAGES"
  exit 1
}

ensure_llvm() {
  if [ -x /usr/lib/llvm-$LLVM/bin/clang ] && [ -e /usr/lib/llvm-$LLVM/include/clang-c/Index.h ] && [ -e /usr/lib/llvm-$LLVM/include/llvm-c/Core.h ] &&
     [ -x /usr/lib/llvm-$LLVM/bin/wasm-ld ] && [ -e $WASI_LIBC ] && [ -e "$BUILTINS" ]; then return; fi
  command -v apt-get >/dev/null || explain_and_stop "LLVM $LLVM, wasi-libc and compiler-rt for wasm32 are missing"
  [ "$(id -u)" = 0 ] || explain_and_stop "Debian packages are missing and only root may install them"
  say "installing Debian packages: $PACKAGES"
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $PACKAGES; } >&2 ||
    explain_and_stop "apt-get could not install its packages"
}

# make_tinygo builds the compiler from its Go module and gives it its own root.
# The module lacks src/net, a submodule that the worker does not need; the empty
# folders keep TinyGo from looking for it.
make_tinygo() {
  ensure_llvm
  local module go_version home
  go_version=$(go env GOVERSION)
  home=$CACHE/tinygo-$TINYGO_VERSION-$go_version-llvm$LLVM
  TINYGO=$home/bin/tinygo
  export TINYGOROOT=$home/root
  if [ ! -e "$home/ready" ]; then
    say "making TinyGo $TINYGO_VERSION in $home (about two minutes, once)"
    rm -rf "$home" && mkdir -p "$home/bin" "$TINYGOROOT"
    (cd "$ROOT/tools/tinygo" && go build -tags llvm$LLVM -o "$TINYGO" github.com/tinygo-org/tinygo) >&2 ||
      explain_and_stop "the compiler did not build"
    module=$(cd "$ROOT/tools/tinygo" && go list -m -f '{{.Dir}}' github.com/tinygo-org/tinygo)
    cp -r "$module/src" "$module/targets" "$TINYGOROOT/"
    chmod -R u+w "$TINYGOROOT"
    mkdir -p "$TINYGOROOT/src/net/http"
    touch "$home/ready"
  else
    say "using TinyGo $TINYGO_VERSION made earlier in $home"
  fi
  TARGET=$home/target.json
  sed -e "s#@WASI_LIBC@#$WASI_LIBC#" -e "s#@BUILTINS@#$BUILTINS#" "$ROOT/tools/edge/target.json" > "$TARGET"
}

ensure_tinygo() {
  command -v go >/dev/null || die "Go is missing: install Go 1.26 or later (https://go.dev/dl)"
  local wanted=${COLOPHON_TINYGO:-tinygo}
  if [ "$wanted" != build ] && command -v "$wanted" >/dev/null; then
    if tinygo_fits "$wanted"; then use_installed "$(command -v "$wanted")"; return; fi
    say "not using $(command -v "$wanted"): it is not a TinyGo 0.41 with its own wasi-libc"
  fi
  make_tinygo
}

# without_self_tests prints the name of an overlay that leaves the self-tests
# out of Go's cryptographic module. They do nothing outside FIPS mode, but keep
# ciphers and their tables in the worker, which uses SHA-256 alone.
without_self_tests() {
  local src overlay=$CACHE/without-self-tests.json
  src=$("$TINYGO" list -target "$TARGET" -json crypto/internal/fips140 | sed -n 's#.*"Dir": "\(.*\)".*#\1#p')
  { printf '{"Replace":{"'"$src"'/none":""'; printf ',"'"$src"'/%s/cast.go":""' aes aes/gcm drbg hmac sha256 sha3 sha512; echo '}}'; } > "$overlay.$$"
  mv "$overlay.$$" "$overlay" # another build may be reading it
  echo "$overlay"
}
