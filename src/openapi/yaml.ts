/**
 * Writes JSON as YAML 1.2 (RFC 9512): blocks, and texts in double quotes as JSON has them, which YAML reads the same.
 * JSON as it is would be YAML, too; nobody asks for YAML to read that.
 */
export function yamlOf(value: unknown): string {
  return `${blockOf(value, "").trimStart()}\n`;
}

function blockOf(value: unknown, indent: string): string {
  if (typeof value !== "object" || value === null) return ` ${JSON.stringify(value)}`;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.length === 0) return " []";
    return value.map((item) => `\n${indent}-${blockOf(item, inner).replace(/^\n */, " ")}`).join("");
  }
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  if (members.length === 0) return " {}";
  return members.map(([name, member]) => `\n${indent}${keyOf(name)}:${blockOf(member, inner)}`).join("");
}

/** Plain where no reader takes it for something else: YAML 1.1 reads `y`, `no` and `on` as booleans. */
function keyOf(name: string): string {
  return /^(?!(?:y|n|yes|no|on|off|true|false|null)$)[a-z$_][\w./-]*$/i.test(name) ? name : JSON.stringify(name);
}
