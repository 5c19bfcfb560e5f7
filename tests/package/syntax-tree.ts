/** A node of the syntax tree of a source. */
export interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

/**
 * Visits nodes, each with the class of error whose constructor it is the message of; types and imports are no texts.
 */
export function visit(
  node: Node,
  errorClass: string | null,
  enter: (node: Node, errorClass: string | null) => boolean,
): void {
  if (/^(?:TS(?!As|NonNull|Satisfies)|Import|ExportAll)/.test(node.type) || !enter(node, errorClass)) return;
  const messageClass = errorClassOf(node);
  const message = (node["arguments"] as Node[] | undefined)?.[messageClass === "HTTPError" ? 1 : 0];
  for (const child of childrenOf(node)) {
    const isBranch = node.type === "ConditionalExpression" && child !== node["test"];
    visit(child, child === message ? messageClass : isBranch ? errorClass : null, enter);
  }
}

export function childrenOf(node: Node): Node[] {
  return Object.entries(node).flatMap(([key, value]) =>
    key === "source" || key === "directive" ? [] : (Array.isArray(value) ? value : [value]).filter(isNode),
  );
}

/** Which error takes its message from an argument of a node: the first one, of an HTTPError the second. */
function errorClassOf(node: Node): string | null {
  const { name, property } = calleeOf(node);
  if (node.type === "NewExpression" && name !== undefined && /(?:Error|Exception)$/.test(name)) return name;
  return property?.name === "refuse" ? "PathPatternError" : null;
}

interface Callee {
  readonly name?: string;
  readonly object?: { readonly type: string; readonly name?: string };
  readonly property?: { readonly name?: string };
}

export function calleeOf({ type, callee }: Node): Callee {
  return type === "CallExpression" || type === "NewExpression" ? (callee as Callee) : {};
}

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string";
}

export function isText({ type, value, operator, left, right }: Node): boolean {
  if (type === "TemplateLiteral") return true;
  if (type === "Literal") return typeof value === "string";
  return type === "BinaryExpression" && operator === "+" && (isText(left as Node) || isText(right as Node));
}
