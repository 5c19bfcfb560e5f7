import { TextSigner } from "../../http/javascript/text-signer.ts";

/** How long a nonce is the newest one. It counts as long again. */
const periodMs = 300_000;

/**
 * Makes and checks the nonces of a server (RFC 9449 §8). A nonce names a time and is signed, so that processes with the
 * same secrets store none.
 */
export class DpopNonces {
  readonly #signer: TextSigner;

  constructor(secrets: readonly string[]) {
    this.#signer = new TextSigner(secrets);
  }

  /** Makes the nonce of this time. */
  async current(): Promise<string> {
    const period = String(periodNow());
    return `${period}.${await this.#signer.sign(labeled(period))}`;
  }

  /** How many periods old a nonce is; null when it is not of this server, or too old. */
  async ageOf(nonce: unknown): Promise<number | null> {
    const [, period = "", signature = ""] = /^(\d{1,15})\.([-\w]{43})$/.exec(String(nonce)) ?? [];
    const age = periodNow() - Number(period);
    // The clock of another process may be a little ahead.
    return Math.abs(age) <= 1 && (await this.#signer.verify(labeled(period), signature)) ? age : null;
  }
}

/** The secrets may sign other things as well. */
function labeled(period: string): string {
  return `DPoP-Nonce ${period}`;
}

function periodNow(): number {
  return Math.floor(Date.now() / periodMs);
}
