import { isPublic, isUnshared, parseCacheControl } from "../../fields/cache-control.ts";
import { described } from "../../http/javascript/described.ts";
import { safeMethods } from "../../http/protocol/safe-methods.ts";
import { isTakenLater } from "../declaration/raw-content.ts";
import { askingOf, type OperationModel } from "./operation-model.ts";

/**
 * Refuses members that are right alone, and wrong beside what else the operation and its guards have.
 * @throws {TypeError} which says what to write.
 */
export function refuseUnfitMembers(model: OperationModel, hasValidator: boolean): void {
  const cannot = `Cannot add ${model.mounted.name} to the application: static ${model.method}`;
  const { precondition, etag } = model.declaration;
  // Without validators each precondition holds, so that a required one protects nothing. Reads may have a tag of their
  // content.
  if (precondition === true && !hasValidator && (etag === undefined || !model.isRead)) {
    throw new TypeError(
      `${cannot} requires a precondition, and the class has no validator; write validator(call) { … }`,
    );
  }
  if (precondition === true && model.content?.media.some(({ raw }) => raw?.kind === "bytes" && raw.isStream)) {
    throw new TypeError(
      `${cannot} requires a precondition, and bytes() with stream come in after it holds; write bytes(type, { to: ` +
        "sink }), or compare call.version and leave precondition out",
    );
  }
  refuseUncached(model, cannot);
  refuseSharedCaches(model, cannot);
  refuseOnce(model, cannot);
}

/** What nothing would come of: streams of events are never kept, and a stream has no tag of its content. */
function refuseUncached({ answers, declaration, isOnLine, isRead }: OperationModel, cannot: string): void {
  const { cache, etag } = declaration;
  const isOfEvents = (): boolean =>
    [...answers.values()]
      .filter(({ status }) => status < 400)
      .every(({ media }) => media.length > 0 && media.every(({ raw }) => raw?.kind === "events"));
  if (isOnLine && cache !== undefined && !parseCacheControl(cache).has("no-store") && isOfEvents()) {
    throw new TypeError(
      `${cannot} has ${described(cache)} for cache, and answers with events(), which are sent with no-store; leave ` +
        "cache out",
    );
  }
  if (etag === undefined || !isOnLine || !isRead) return;
  const media = answers.get(200)?.media ?? [];
  if (media.some(({ raw }) => raw === null || whole.has(raw.kind))) return;
  const [streamed] = media;
  throw new TypeError(
    streamed === undefined
      ? `${cannot} has ${described(etag)} for etag, and no content of 200 to make a tag of; leave etag out`
      : `${cannot} has ${described(etag)} for etag, and answers with ${streamed.raw!.kind}(), which have no tag; ` +
          "leave etag out",
  );
}

function refuseSharedCaches(model: OperationModel, cannot: string): void {
  const { cache } = model.declaration;
  if (cache === undefined) return;
  // Without a time nothing is fresh: it is sent as private.
  if (parseCacheControl(cache).get("no-cache") === "" && !isPublic(cache)) return;
  const asking = isUnshared(cache) ? null : askingOf(model);
  if (asking === null) return;
  throw new TypeError(
    `${cannot} has ${described(cache)} for cache behind ${asking}, so that caches may give one user's answer to ` +
      'another; write "private, …", or shared: true where all users get the same',
  );
}

/** What is read and written as a stream can be neither compared nor kept. */
const whole: ReadonlySet<string> = new Set(["bytes", "text", "written"]);

function refuseOnce({ method, isOnLine, content, answers, declaration }: OperationModel, cannot: string): void {
  if (declaration.idempotency === undefined) return;
  if (!isOnLine) {
    throw new TypeError(`${cannot} has idempotency, which its module does not read; use the middleware idempotency()`);
  }
  if (safeMethods.has(method)) {
    throw new TypeError(`${cannot} has idempotency, and ${method} changes nothing; leave it out`);
  }
  const media = [...(content?.media ?? []), ...[...answers.values()].flatMap((answer) => answer.media)];
  const stream = media.find(({ raw }) => raw !== null && (!whole.has(raw.kind) || isTakenLater(raw)));
  if (stream === undefined) return;
  throw new TypeError(
    `${cannot} has idempotency beside ${stream.raw!.kind}(), which is a stream; leave one of them out`,
  );
}
