# The lab under plain workerd. Addresses are given on the command line:
#   workerd serve workerd.capnp lab --socket-addr=http=… --external-addr=origin=… --directory-path=files=…
using Workerd = import "/workerd/workerd.capnp";

const lab :Workerd.Config = (services = [(name = "main", worker = .worker), .assets, .files, .bodies, .origin], sockets = [.http]);

# The same, but the files come from a server outside, which the tests make fail.
const faulty :Workerd.Config = (services = [(name = "main", worker = .worker), .remoteAssets, .files, .bodies, .origin], sockets = [.http]);

const http :Workerd.Socket = (name = "http", http = (), service = "main");
const files :Workerd.Service = (name = "files", disk = (writable = false, allowDotfiles = true));
const bodies :Workerd.Service = (name = "bodies", worker = .assetServer);
const assets :Workerd.Service = (name = "assets", worker = .assetServer);
const remoteAssets :Workerd.Service = (name = "assets", external = (http = ()));
const origin :Workerd.Service = (name = "origin", external = (http = ()));

const assetServer :Workerd.Worker = (
  modules = [(name = "assets.mjs", esModule = embed "assets.mjs")],
  compatibilityDate = "2026-11-01",
  bindings = [(name = "FILES", service = "files")],
);

const worker :Workerd.Worker = (
  modules = [
    (name = "lab.mjs", esModule = embed "../../build/edgelab/lab.mjs"),
    (name = "worker.mjs", esModule = embed "../../build/edgelab/worker.mjs"),
    (name = "pool.mjs", esModule = embed "../../build/edgelab/pool.mjs"),
    (name = "published.mjs", esModule = embed "../../build/edgelab/published.mjs"),
    (name = "instance.mjs", esModule = embed "../../build/edgelab/instance.mjs"),
    (name = "kept.mjs", esModule = embed "../../build/edgelab/kept.mjs"),
    (name = "image.mjs", esModule = embed "../../build/edgelab/image.mjs"),
    (name = "syscalljs.mjs", esModule = embed "../../build/edgelab/syscalljs.mjs"),
    (name = "tables.mjs", esModule = embed "../../build/edgelab/tables.mjs"),
    (name = "ops.mjs", esModule = embed "../../build/edgelab/ops.mjs"),
    (name = "limit.mjs", esModule = embed "../../build/edgelab/limit.mjs"),
    (name = "policy.mjs", esModule = embed "../../build/edgelab/policy.mjs"),
    (name = "static.mjs", esModule = embed "../../build/edgelab/static.mjs"),
    (name = "address.mjs", esModule = embed "../../build/edgelab/address.mjs"),
    (name = "body.mjs", esModule = embed "../../build/edgelab/body.mjs"),
    (name = "document.mjs", esModule = embed "../../build/edgelab/document.mjs"),
    (name = "header.mjs", esModule = embed "../../build/edgelab/header.mjs"),
    (name = "requestid.mjs", esModule = embed "../../build/edgelab/requestid.mjs"),
    (name = "settings.mjs", esModule = embed "../../build/edgelab/settings.mjs"),
    (name = "worker.wasm", wasm = embed "../../build/edgelab/worker.wasm"),
  ],
  compatibilityDate = "2026-11-01",
  bindings = [
    (name = "ORIGIN", wrapped = (moduleName = "cloudflare-internal:d1-api", innerBindings = [(name = "fetcher", service = "origin")])),
    (name = "ASSETS", service = "assets"),
    (name = "BODY_FILES", service = "bodies"),
    (name = "EDGE_MODE", fromEnvironment = "EDGE_MODE"),
    (name = "EDGE_DEADLINE_MS", fromEnvironment = "EDGE_DEADLINE_MS"),
    (name = "EDGE_STREAM_MS", fromEnvironment = "EDGE_STREAM_MS"),
    (name = "EDGE_BODY_LIMIT", fromEnvironment = "EDGE_BODY_LIMIT"),
    (name = "EDGE_MAX_LIVE", fromEnvironment = "EDGE_MAX_LIVE"),
    (name = "EDGE_REMOTE_HEADER", text = "x-real-ip"),
    (name = "LAB_VARIABLE", text = "visible"),
  ],
);
