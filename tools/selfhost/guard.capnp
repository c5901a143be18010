# The guard of a publisher's site under plain workerd: the worker that the
# publisher's edge would run, between the outside and the site's own server.
# site/docs/self-hosting.md explains it.
#
#   GUARD_SITE=harbor-ledger BASE_URL=https://registry.example \
#   workerd serve tools/selfhost/guard.capnp config \
#     --socket-addr=http=127.0.0.1:8788 --external-addr=site=127.0.0.1:3000 \
#     --directory-path=nonces=/var/lib/colophon-guard
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = .modules, compatibilityDate = .date, compatibilityFlags = .flags, bindings = .bindings,
      durableObjectNamespaces = .objects, durableObjectStorage = (localDisk = "nonces"),
    )),
    (name = "nonces", disk = (path = "/var/lib/colophon-guard", writable = true)),
    (name = "site", external = (address = "127.0.0.1:3000", http = ())),
  ],
  sockets = [(name = "http", address = "127.0.0.1:8788", http = (), service = "main")],
);

const date :Text = "2026-11-01";
const flags :List(Text) = ["no_nodejs_compat", "no_nodejs_compat_v2"];

# Nonces of signatures, in a folder, until their signatures end.
const objects :List(Workerd.Worker.DurableObjectNamespace) = [(className = "SpentNonces", uniqueKey = "colophon-guard-nonces", enableSql = true)];

const bindings :List(Workerd.Worker.Binding) = [
  (name = "UPSTREAM", service = "site"),
  (name = "NONCES", durableObjectNamespace = (className = "SpentNonces")),
  (name = "BASE_URL", fromEnvironment = "BASE_URL"),
  (name = "GUARD_SITE", fromEnvironment = "GUARD_SITE"),
  # Any text switches them on.
  (name = "GUARD_REQUIRE_SIGNATURE", fromEnvironment = "GUARD_REQUIRE_SIGNATURE"),
  (name = "GUARD_DENY_UNKNOWN", fromEnvironment = "GUARD_DENY_UNKNOWN"),
  (name = "GUARD_FAIL_CLOSED", fromEnvironment = "GUARD_FAIL_CLOSED"),
];

const modules :List(Workerd.Worker.Module) = [
  (name = "guard.mjs", esModule = embed "../../build/guard/guard.mjs"),
  (name = "address.mjs", esModule = embed "../../build/guard/address.mjs"),
  (name = "agents.mjs", esModule = embed "../../build/guard/agents.mjs"),
  (name = "document.mjs", esModule = embed "../../build/guard/document.mjs"),
  (name = "header.mjs", esModule = embed "../../build/guard/header.mjs"),
  (name = "image.mjs", esModule = embed "../../build/guard/image.mjs"),
  (name = "instance.mjs", esModule = embed "../../build/guard/instance.mjs"),
  (name = "kept.mjs", esModule = embed "../../build/guard/kept.mjs"),
  (name = "limit.mjs", esModule = embed "../../build/guard/limit.mjs"),
  (name = "nonce.mjs", esModule = embed "../../build/guard/nonce.mjs"),
  (name = "ops.mjs", esModule = embed "../../build/guard/ops.mjs"),
  (name = "pool.mjs", esModule = embed "../../build/guard/pool.mjs"),
  (name = "requestid.mjs", esModule = embed "../../build/guard/requestid.mjs"),
  (name = "settings.mjs", esModule = embed "../../build/guard/settings.mjs"),
  (name = "syscalljs.mjs", esModule = embed "../../build/guard/syscalljs.mjs"),
  (name = "worker.wasm", wasm = embed "../../build/guard/worker.wasm"),
];
