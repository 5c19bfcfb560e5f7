export { Files } from "./files-resource.ts";
export type { FileCoding, Content, FileSource, FoundFile } from "./file-source.ts";
export { disk } from "./uploads/disk.ts";
export { memory } from "./uploads/memory.ts";
export type { IncomingFile, Sink, StoredFile } from "../formats/multipart/sink.ts";
