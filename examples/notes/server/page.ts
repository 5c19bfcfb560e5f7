import { fileURLToPath } from "node:url";
import { Files } from "fingerpost/files";
import { snapshot } from "fingerpost/folder";
import { secureHeaders } from "fingerpost/middleware/secure-headers";

/** The front end, as Vite made it. */
export class Page extends Files {
  paths = ["/app/:path*"] as const;
  static readonly middleware = [secureHeaders({ contentSecurityPolicy: "default-src 'self'" })];
  source = snapshot(fileURLToPath(new URL("../page", import.meta.url)));
}
