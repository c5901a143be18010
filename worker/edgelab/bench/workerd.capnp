# What the lab is measured against. Addresses are given on the command line.
using Workerd = import "/workerd/workerd.capnp";

const plain :Workerd.Config = (services = [(name = "main", worker = .plainWorker), .origin], sockets = [.http]);
const glue :Workerd.Config = (services = [(name = "main", worker = .glueWorker), .origin], sockets = [.http]);

const http :Workerd.Socket = (name = "http", http = (), service = "main");
const origin :Workerd.Service = (name = "origin", external = (http = ()));
const d1 :Workerd.Worker.Binding = (name = "ORIGIN",
  wrapped = (moduleName = "cloudflare-internal:d1-api", innerBindings = [(name = "fetcher", service = "origin")]));

const plainWorker :Workerd.Worker = (
  modules = [(name = "plain.mjs", esModule = embed "plain.mjs")],
  compatibilityDate = "2026-11-01",
  bindings = [.d1],
);

const glueWorker :Workerd.Worker = (
  modules = [
    (name = "worker.mjs", esModule = embed "../../../build/edgelabglue/worker.mjs"),
    (name = "runtime.mjs", esModule = embed "../../../build/edgelabglue/runtime.mjs"),
    (name = "wasm_exec.js", esModule = embed "../../../build/edgelabglue/wasm_exec.js"),
    (name = "app.wasm", wasm = embed "../../../build/edgelabglue/app.wasm"),
  ],
  compatibilityDate = "2026-11-01",
  bindings = [.d1],
);
