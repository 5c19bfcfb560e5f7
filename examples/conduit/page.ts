import { Files } from "fingerpost/files";
import { folder } from "fingerpost/folder";
import { secureHeaders } from "fingerpost/middleware/secure-headers";
import { fileURLToPath } from "node:url";

/** A page that shows new articles as they come. */
export class Page extends Files {
  paths = ["/live/:path*"] as const;
  static readonly tags = ["Page"];
  static readonly middleware = [secureHeaders({ contentSecurityPolicy: "default-src 'self'" })];
  source = folder(fileURLToPath(new URL("page", import.meta.url)));
}
