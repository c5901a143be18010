# What the product is measured beside. Addresses and folders are given on the
# command line; tools/edge/hono.sh builds hono.mjs.
using Workerd = import "/workerd/workerd.capnp";

const hono :Workerd.Config = (services = [(name = "main", worker = .honoWorker), .origin, .assets, .dist], sockets = [.http]);
const plain :Workerd.Config = (services = [(name = "main", worker = .plainWorker), .origin, .assets, .dist], sockets = [.http]);

const http :Workerd.Socket = (name = "http", http = (), service = "main");
const origin :Workerd.Service = (name = "origin", external = (http = ()));
const dist :Workerd.Service = (name = "dist", disk = (writable = false, allowDotfiles = true));
const assets :Workerd.Service = (name = "assets", worker = (
  modules = [(name = "assets.mjs", esModule = embed "../../worker/edgelab/assets.mjs")],
  compatibilityDate = "2026-11-01",
  bindings = [(name = "FILES", service = "dist")],
));

const bindings :List(Workerd.Worker.Binding) = [
  (name = "ORIGIN", wrapped = (moduleName = "cloudflare-internal:d1-api", innerBindings = [(name = "fetcher", service = "origin")])),
  (name = "ASSETS", service = "assets"),
];

const honoWorker :Workerd.Worker = (
  modules = [(name = "hono.mjs", esModule = embed "../../build/hono/hono.mjs")],
  compatibilityDate = "2026-11-01",
  bindings = .bindings,
);

const plainWorker :Workerd.Worker = (
  modules = [(name = "plain.mjs", esModule = embed "plain.mjs")],
  compatibilityDate = "2026-11-01",
  bindings = .bindings,
);
