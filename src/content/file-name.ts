/**
 * Returns whether a decoded segment of a path names a file in a folder, on any system, and nothing else. It refuses an
 * empty segment, `.` and `..`, and a slash, a backslash, a colon or a control character. It also refuses names that
 * Windows reads in another way: names that end in a dot or a space, and names of devices.
 */
export function isFileName(segment: string): boolean {
  // A name is a name whatever the server runs on, so that a program that was tested on one system is safe on another.
  return !unsafe.test(segment) && !device.test(segment);
}

// A name that ends in a dot is one without it for Windows, and so `.` and `..` are among these. A colon begins a stream
// of a file.
const unsafe = /^$|[/\\:\p{Cc}]|[. ]$/u;

// With whatever end: `nul.tar.gz` is a device, too. The digits may be superscript.
const device = /^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|(?:com|lpt)[\d\xb9\xb2\xb3]) *(?:\.|$)/i;

/** Returns whether a name is one that systems hide, such as `.env` or `.git`. */
export function isDotFile(name: string): boolean {
  return name.startsWith(".");
}
