using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker.js", esModule = embed "worker.js")],
      compatibilityDate = "2026-04-01",
      bindings = [
        (name = "STORES", durableObjectNamespace = "Stores"),
        (name = "BANK", durableObjectNamespace = "Bank"),
      ],
      durableObjectNamespaces = [
        (className = "Stores", uniqueKey = "stores", enableSql = true),
        (className = "Bank", uniqueKey = "bank", enableSql = true),
      ],
      durableObjectStorage = (localDisk = "disk"),
    )),
    (name = "disk", disk = (path = "STORAGE", writable = true)),
  ],
  sockets = [(name = "http", address = "127.0.0.1:PORT", http = (), service = "main")],
);
