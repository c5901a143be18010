# The worker as it is deployed, under plain workerd for tests and measurements:
# published files from a folder, texts from another, and an origin that speaks the
# protocol of the D1 binding (internal/originsql/d1test).
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "assets", worker = .assets),
    (name = "body-files", worker = .bodyFiles),
    (name = "dist", disk = (path = "../../dist", writable = false, allowDotfiles = true)),
    (name = "bodies", disk = (path = "../../.colophon/bodies", writable = false)),
    (name = "origin", external = (address = "127.0.0.1:8950", http = ())),
  ],
  sockets = [(name = "http", address = "127.0.0.1:8788", http = (), service = "main")],
);

const worker :Workerd.Worker = (
  modules = [
    (name = "entry.mjs", esModule = embed "../../build/edge/entry.mjs"),
    (name = "address.mjs", esModule = embed "../../build/edge/address.mjs"),
    (name = "body.mjs", esModule = embed "../../build/edge/body.mjs"),
    (name = "document.mjs", esModule = embed "../../build/edge/document.mjs"),
    (name = "header.mjs", esModule = embed "../../build/edge/header.mjs"),
    (name = "image.mjs", esModule = embed "../../build/edge/image.mjs"),
    (name = "instance.mjs", esModule = embed "../../build/edge/instance.mjs"),
    (name = "kept.mjs", esModule = embed "../../build/edge/kept.mjs"),
    (name = "limit.mjs", esModule = embed "../../build/edge/limit.mjs"),
    (name = "ops.mjs", esModule = embed "../../build/edge/ops.mjs"),
    (name = "policy.mjs", esModule = embed "../../build/edge/policy.mjs"),
    (name = "pool.mjs", esModule = embed "../../build/edge/pool.mjs"),
    (name = "published.mjs", esModule = embed "../../build/edge/published.mjs"),
    (name = "requestid.mjs", esModule = embed "../../build/edge/requestid.mjs"),
    (name = "settings.mjs", esModule = embed "../../build/edge/settings.mjs"),
    (name = "static.mjs", esModule = embed "../../build/edge/static.mjs"),
    (name = "syscalljs.mjs", esModule = embed "../../build/edge/syscalljs.mjs"),
    (name = "tables.mjs", esModule = embed "../../build/edge/tables.mjs"),
    (name = "worker.mjs", esModule = embed "../../build/edge/worker.mjs"),
    (name = "worker.wasm", wasm = embed "../../build/edge/worker.wasm"),
  ],
  compatibilityDate = "2026-11-01",
  compatibilityFlags = ["no_nodejs_compat", "no_nodejs_compat_v2"],
  bindings = [
    (name = "ORIGIN", wrapped = (moduleName = "cloudflare-internal:d1-api", innerBindings = [(name = "fetcher", service = "origin")])),
    (name = "ASSETS", service = "assets"),
    (name = "BODY_FILES", service = "body-files"),
    (name = "BASE_URL", fromEnvironment = "BASE_URL"),
    (name = "SERVICE_SECRET", fromEnvironment = "SERVICE_SECRET"),
    (name = "SIGNING_KEY", fromEnvironment = "SIGNING_KEY"),
    (name = "RATE_LIMITS", fromEnvironment = "RATE_LIMITS"),
    (name = "PROOF_BITS", fromEnvironment = "PROOF_BITS"),
    (name = "EDGE_REMOTE_HEADER", text = "x-real-ip"),
  ],
);

const assets :Workerd.Worker = (
  modules = [(name = "assets.mjs", esModule = embed "assets.mjs")],
  compatibilityDate = "2026-11-01",
  bindings = [(name = "FILES", service = "dist")],
);

const bodyFiles :Workerd.Worker = (
  modules = [(name = "assets.mjs", esModule = embed "assets.mjs")],
  compatibilityDate = "2026-11-01",
  bindings = [(name = "FILES", service = "bodies")],
);
