import { Files } from "fingerpost/files";
import { Application } from "fingerpost/native";
import { bucketSource } from "./bucket.js";
import { packed } from "./packed.js";

export function applicationOf(files, bucket) {
  class Site extends Files {
    paths = ["/:path*"];
    source = packed(files);
  }
  class Uploads extends Files {
    paths = ["/uploads/:path+"];
    source = bucketSource(bucket);
  }
  return Application.builder().resources(Site, Uploads).build();
}
