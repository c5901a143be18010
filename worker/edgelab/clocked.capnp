# The product's worker with a clock that can be moved (clocked.mjs), under plain
# workerd over an origin behind d1test and a folder of published files.
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "assets", worker = (
      modules = [(name = "assets.mjs", esModule = embed "assets.mjs")],
      compatibilityDate = "2026-11-01",
      bindings = [(name = "FILES", service = "dist")],
    )),
    (name = "dist", disk = (writable = false, allowDotfiles = true)),
    (name = "origin", external = (http = ())),
    (name = "internet", network = (allow = ["local"])),
  ],
  sockets = [(name = "http", http = (), service = "main")],
);

const worker :Workerd.Worker = (
  modules = [
    (name = "worker/edgelab/clocked.mjs", esModule = embed "clocked.mjs"),
    (name = "build/edge/entry.mjs", esModule = embed "../../build/edge/entry.mjs"),
    (name = "build/edge/address.mjs", esModule = embed "../../build/edge/address.mjs"),
    (name = "build/edge/body.mjs", esModule = embed "../../build/edge/body.mjs"),
    (name = "build/edge/document.mjs", esModule = embed "../../build/edge/document.mjs"),
    (name = "build/edge/header.mjs", esModule = embed "../../build/edge/header.mjs"),
    (name = "build/edge/image.mjs", esModule = embed "../../build/edge/image.mjs"),
    (name = "build/edge/instance.mjs", esModule = embed "../../build/edge/instance.mjs"),
    (name = "build/edge/kept.mjs", esModule = embed "../../build/edge/kept.mjs"),
    (name = "build/edge/limit.mjs", esModule = embed "../../build/edge/limit.mjs"),
    (name = "build/edge/ops.mjs", esModule = embed "../../build/edge/ops.mjs"),
    (name = "build/edge/policy.mjs", esModule = embed "../../build/edge/policy.mjs"),
    (name = "build/edge/pool.mjs", esModule = embed "../../build/edge/pool.mjs"),
    (name = "build/edge/published.mjs", esModule = embed "../../build/edge/published.mjs"),
    (name = "build/edge/requestid.mjs", esModule = embed "../../build/edge/requestid.mjs"),
    (name = "build/edge/settings.mjs", esModule = embed "../../build/edge/settings.mjs"),
    (name = "build/edge/static.mjs", esModule = embed "../../build/edge/static.mjs"),
    (name = "build/edge/syscalljs.mjs", esModule = embed "../../build/edge/syscalljs.mjs"),
    (name = "build/edge/tables.mjs", esModule = embed "../../build/edge/tables.mjs"),
    (name = "build/edge/worker.mjs", esModule = embed "../../build/edge/worker.mjs"),
    (name = "build/edge/worker.wasm", wasm = embed "../../build/edge/worker.wasm"),
  ],
  compatibilityDate = "2026-11-01",
  compatibilityFlags = ["no_nodejs_compat", "no_nodejs_compat_v2"],
  bindings = [
    (name = "ORIGIN", wrapped = (moduleName = "cloudflare-internal:d1-api", innerBindings = [(name = "fetcher", service = "origin")])),
    (name = "ASSETS", service = "assets"),
    (name = "BASE_URL", fromEnvironment = "BASE_URL"),
    (name = "SERVICE_SECRET", fromEnvironment = "SERVICE_SECRET"),
    (name = "EDGE_ASSET_BYTES", fromEnvironment = "EDGE_ASSET_BYTES"),
    (name = "RATE_LIMITS", fromEnvironment = "RATE_LIMITS"),
    (name = "MAIL_URL", fromEnvironment = "MAIL_URL"),
    (name = "MAIL_KEY", fromEnvironment = "MAIL_KEY"),
    (name = "MAIL_FROM", fromEnvironment = "MAIL_FROM"),
  ],
);
