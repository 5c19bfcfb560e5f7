/** Tells whether a text is a host, with or without a port (RFC 9110 §7.2), and nothing that could end the authority of a URL. */
export function isHost(text: string): boolean {
  return /^[^\s/\\?#@]+$/.test(text) && URL.canParse(`http://${text}`);
}
