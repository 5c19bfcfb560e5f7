import type { CallInput } from "./calls.ts";
import type { ConnectOptions } from "./connect-options.ts";
import type { Uncompared } from "./results.ts";
import { SocketLink, type Called } from "./socket-link.ts";

/** The result of a handshake that was accepted. */
export interface Connected<Socket> {
  /** Switching Protocols. */
  readonly status: 101;
  /** Whether there is a WebSocket. */
  readonly ok: true;
  /** The WebSocket. */
  readonly content: Socket;
  /** Returns the WebSocket. */
  orThrow(): Socket;
}

/** The result of a call with 101, if its operation declares one. */
type Accepting<Result> = Extract<Exclude<Result, Uncompared>, { readonly status: 101 }>;

/** The WebSocket that an operation declares. */
type SocketIn<Result> = Accepting<Result> extends { readonly content: infer Socket } ? Socket : never;

/** Options of `connect()` besides the method: the option `text` is required where messages are `text()`. */
type ConnectArguments<Input, Result> = [Accepting<Result>] extends [never]
  ? [never]
  : SocketIn<Result> extends { readonly "~text"?: (infer Text) | undefined }
    ? [Exclude<Text, undefined>] extends [string]
      ? [input: Input, options: ConnectOptions<SocketIn<Result>> & { readonly text: Exclude<Text, undefined> }]
      : {} extends Input
        ? [input?: Input, options?: ConnectOptions<SocketIn<Result>>]
        : [input: Input, options?: ConnectOptions<SocketIn<Result>>]
    : [never];

/**
 * Connects to an operation that is answered by a WebSocket. The `content` of the result is the typed connection.
 *
 * A browser hides why a handshake was refused. `connect()` then makes the call without it, whose result says
 * why, such as 401. Header fields of the client and of the call are sent where the runtime can: browsers cannot.
 *
 * The signal of the call closes the connection. The loop over its messages then throws the reason of the signal.
 *
 * @param call a method of a client whose operation declares `101: socket()`.
 * @param input the input of the call.
 * @throws {TypeError} when the runtime has no `WebSocket`, an option is wrong, or `call` is not a method of a client.
 * @throws {SocketError} when the handshake fails and the call gets 426. The handler refused it, or a proxy.
 * @throws {ResponseError} for a status from 500 on.
 * @example
 * ```ts
 * class Echo extends Resource {
 *   paths = ["/echo"] as const;
 *
 *   static GET = { 101: socket({ receives: z.object({ say: z.string() }), sends: z.object({ heard: z.string() }) }) };
 *   GET(): Answer<typeof Echo, "GET"> {
 *     return reply(101, { message: (peer, { say }) => peer.send({ heard: say }) });
 *   }
 * }
 * const app = Application.builder().resources(Echo).build();
 * const api = client<typeof app>("http://localhost", { fetch: app.fetch });
 *
 * async function listen(): Promise<void> {
 *   const echo = (await connect(api["/echo"].GET)).orThrow();
 *   echo.send({ say: "Hello" });
 *   for await (const { heard } of echo) console.log(heard);
 * }
 * console.log(typeof listen); // function
 * ```
 */
export async function connect<Input extends object, Result extends { readonly status: number }>(
  call: (input: Input) => Promise<Result>,
  ...[input, options]: ConnectArguments<Input, Result>
): Promise<Exclude<Result, { readonly status: 101 }> | Connected<SocketIn<Result>>> {
  if (!Object.hasOwn(call, "options"))
    throw new TypeError('Cannot call connect(): expected a method of a client, such as api["/rooms/:room"].GET');
  const link = new SocketLink(call as unknown as Called, { ...input } as CallInput, options);
  const content = await link.begin();
  const result = content === null ? await link.refused() : { status: 101, ok: true, content, orThrow: () => content };
  return result as unknown as Connected<SocketIn<Result>>;
}
