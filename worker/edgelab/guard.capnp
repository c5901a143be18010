# The guard as tests and measurements run it: everything it asks for outside,
# the registry and the keys of signers, is one server that they give. Beside it
# the least that could stand there, by hand in JavaScript.
using Workerd = import "/workerd/workerd.capnp";
using Guard = import "../../tools/selfhost/guard.capnp";

const guard :Workerd.Config = (services = [(name = "main", worker = .guardWorker), .site, .outside, .nonces], sockets = [.http]);
const alone :Workerd.Config = (services = [(name = "main", worker = .aloneWorker), .site, .outside], sockets = [.http]);
const plain :Workerd.Config = (services = [(name = "main", worker = .plainWorker), .site], sockets = [.http]);

const http :Workerd.Socket = (name = "http", http = (), service = "main");
const site :Workerd.Service = (name = "site", external = (http = ()));
const outside :Workerd.Service = (name = "outside", external = (http = ()));

const nonces :Workerd.Service = (name = "nonces", disk = (writable = true));

const guardWorker :Workerd.Worker = (
  modules = Guard.modules,
  compatibilityDate = Guard.date,
  compatibilityFlags = Guard.flags,
  bindings = Guard.bindings,
  durableObjectNamespaces = Guard.objects,
  durableObjectStorage = (localDisk = "nonces"),
  globalOutbound = "outside",
);

# The guard without the binding NONCES.
const aloneWorker :Workerd.Worker = (
  modules = Guard.modules,
  compatibilityDate = Guard.date,
  compatibilityFlags = Guard.flags,
  bindings = [
    (name = "UPSTREAM", service = "site"),
    (name = "BASE_URL", fromEnvironment = "BASE_URL"),
    (name = "GUARD_SITE", fromEnvironment = "GUARD_SITE"),
    (name = "GUARD_REQUIRE_SIGNATURE", fromEnvironment = "GUARD_REQUIRE_SIGNATURE"),
  ],
  globalOutbound = "outside",
);

const plainWorker :Workerd.Worker = (
  modules = [(name = "pass.mjs", esModule = "export default { fetch: (request, env) => env.UPSTREAM.fetch(request) };")],
  compatibilityDate = Guard.date,
  compatibilityFlags = Guard.flags,
  bindings = [(name = "UPSTREAM", service = "site")],
);
