// The IPv4 address that the answer to PASV contains: it can't contain a name.
import { isIPv4 } from 'node:net';

export interface PublicAddressDeps {
  readonly publicHost: string | undefined;
  /** Gives the address of a name. Rejects when there is none. */
  readonly lookup: (host: string) => Promise<string>;
  readonly now: () => number;
}

/** Names of installations change their address seldom, but with a dynamic address several times a day. */
const KEPT_MS = 60_000;

export class PublicAddress {
  readonly #deps: PublicAddressDeps;
  #found: { readonly address: string | undefined; readonly atMs: number } | undefined;

  constructor(deps: PublicAddressDeps) {
    this.#deps = deps;
  }

  /** `localAddress`: the address that the control connection came to. Undefined where only IPv6 is known. */
  async ofConnection(localAddress: string): Promise<string | undefined> {
    const { publicHost } = this.#deps;
    const address = publicHost === undefined ? undefined : await this.#resolve(publicHost);
    if (address !== undefined) return address;
    return isIPv4(localAddress) ? localAddress : undefined;
  }

  async #resolve(host: string): Promise<string | undefined> {
    if (isIPv4(host)) return host;
    const { lookup, now } = this.#deps;
    if (this.#found !== undefined && now() - this.#found.atMs < KEPT_MS) return this.#found.address;
    const address = await lookup(host).catch(() => undefined);
    this.#found = { address, atMs: now() };
    return address;
  }
}
