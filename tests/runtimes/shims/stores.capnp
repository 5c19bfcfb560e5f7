using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker.js", esModule = embed "stores.workerd.js")],
      compatibilityDate = "2026-04-01",
      bindings = [
        (name = "STORES", durableObjectNamespace = "Stores"),
        (name = "INSIDE", durableObjectNamespace = "Inside"),
        (name = "DATABASE", wrapped = (
          moduleName = "cloudflare-internal:d1-api",
          innerBindings = [(name = "fetcher", service = (name = "d1", props = (json = "{\"database\":\"shop\"}")))],
        )),
      ],
      durableObjectNamespaces = [
        (className = "Stores", uniqueKey = "stores", enableSql = true),
        (className = "Inside", uniqueKey = "inside", enableSql = true),
      ],
      durableObjectStorage = (localDisk = "disk"),
    )),
    (name = "d1", worker = (
      modules = [(name = "worker.js", bundled = "/workerd/d1.js")],
      compatibilityDate = "2026-04-01",
      bindings = [(name = "DATABASE", durableObjectNamespace = "D1Database")],
      durableObjectNamespaces = [(className = "D1Database", uniqueKey = "d1", enableSql = true)],
      durableObjectStorage = (localDisk = "disk"),
    )),
    (name = "disk", disk = (path = "dist/storage", writable = true)),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
