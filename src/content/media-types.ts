/** The media types of files, by the ends of their names: what Web applications serve, and no more. */
const table: ReadonlyMap<string, string> = new Map(
  Object.entries({
    // Text. RFC 6657 §3: a charset that is not said would be guessed.
    "text/html": ["html", "htm"],
    "text/css": ["css"],
    "text/javascript": ["js", "mjs", "cjs"],
    "text/plain": ["txt", "text", "log", "conf", "ini"],
    "text/markdown": ["md", "markdown"],
    "text/csv": ["csv"],
    "text/tab-separated-values": ["tsv"],
    "text/calendar": ["ics"],
    "text/vcard": ["vcf"],
    "text/vtt": ["vtt"],
    // RFC 8259 §8.1, RFC 7303 §3: these say themselves how they are encoded.
    "application/json": ["json", "map"],
    "application/ld+json": ["jsonld"],
    "application/geo+json": ["geojson"],
    "application/manifest+json": ["webmanifest"],
    "application/xml": ["xml", "xsl"],
    "application/xhtml+xml": ["xhtml"],
    "application/atom+xml": ["atom"],
    "application/rss+xml": ["rss"],
    "application/yaml": ["yaml", "yml"],
    "application/toml": ["toml"],
    "application/wasm": ["wasm"],
    // Images
    "image/svg+xml": ["svg"],
    "image/png": ["png"],
    "image/apng": ["apng"],
    "image/jpeg": ["jpg", "jpeg"],
    "image/gif": ["gif"],
    "image/webp": ["webp"],
    "image/avif": ["avif"],
    "image/heic": ["heic"],
    "image/tiff": ["tif", "tiff"],
    "image/bmp": ["bmp"],
    "image/vnd.microsoft.icon": ["ico"],
    // Fonts
    "font/woff2": ["woff2"],
    "font/woff": ["woff"],
    "font/ttf": ["ttf"],
    "font/otf": ["otf"],
    // Sound and film
    "audio/mpeg": ["mp3"],
    "audio/mp4": ["m4a"],
    "audio/aac": ["aac"],
    "audio/ogg": ["oga", "ogg", "opus"],
    "audio/flac": ["flac"],
    "audio/wav": ["wav"],
    "video/mp4": ["mp4", "m4v"],
    "video/webm": ["webm"],
    "video/ogg": ["ogv"],
    "video/quicktime": ["mov"],
    "application/vnd.apple.mpegurl": ["m3u8"],
    "application/dash+xml": ["mpd"],
    // Documents and archives
    "application/pdf": ["pdf"],
    "application/epub+zip": ["epub"],
    "application/rtf": ["rtf"],
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ["docx"],
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ["xlsx"],
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": ["pptx"],
    "application/vnd.oasis.opendocument.text": ["odt"],
    "application/vnd.oasis.opendocument.spreadsheet": ["ods"],
    "application/zip": ["zip"],
    "application/gzip": ["gz", "tgz"],
    "application/zstd": ["zst"],
    "application/x-tar": ["tar"],
    "application/x-7z-compressed": ["7z"],
  }).flatMap(([type, ends]) => ends.map((end) => [end, type.startsWith("text/") ? `${type}; charset=utf-8` : type])),
);

/**
 * Returns the media type of a file by the end of its name, with `charset=utf-8` where it is text. A name with another
 * end, or none, is `application/octet-stream`, which browsers save and never show.
 */
export function mediaTypeOfName(fileName: string): string {
  const dot = fileName.lastIndexOf(".");
  // A dot that begins a name begins no end of it.
  const end = dot > 0 ? fileName.slice(dot + 1).toLowerCase() : "";
  return table.get(end) ?? "application/octet-stream";
}
