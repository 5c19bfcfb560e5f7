export { Files } from "./files-resource.ts";
export type { Coding, Content, FileSource, Stored } from "./file-source.ts";
export { disk } from "./uploads/disk.ts";
export { memory } from "./uploads/memory.ts";
export type { IncomingFile, Sink, StoredFile } from "../formats/multipart/sink.ts";
