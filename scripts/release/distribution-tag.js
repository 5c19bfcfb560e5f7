// Prints the tag under which npm offers this version: "latest" for a release, and for what comes before one its own
// name, as "rc" of 3.0.0-rc.1. So `npm install fingerpost` never installs a beta or a candidate once a release is out.
import { readFileSync } from "node:fs";

const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
console.log(/^\d+\.\d+\.\d+(?:-([a-z]+)\.\d+)?$/.exec(version)[1] ?? "latest");
