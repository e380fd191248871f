// Bounds the connections of a terminal port, in total and per address, and chooses which to cut when a bound is reached.
import type { Socket } from 'node:net';
import { addressKey } from '../limits/addressKey.ts';
import type { Limit, OnLimit } from '../limits/limit.ts';

export interface ConnectionLimits {
  readonly open: Limit;
  readonly openByAddress: Limit;
  /** Connections over which nothing has come yet. */
  readonly silent: Limit;
  readonly silentByAddress: Limit;
  /**
   * Connections of an address that have not proved to be a terminal's. Where it is given, an address that dials again and again pushes out
   * its own connections, and no others that are about to sign in.
   */
  readonly unprovenByAddress?: Limit;
}

/**
 * One carrier or proxy may bring a whole fleet from one address, so the bound per address is most of the total. A terminal
 * sends as soon as it has connected, so even a returning fleet leaves few silent connections; thousands of them are half-
 * open.
 */
export const SIGNALLING_LIMITS: ConnectionLimits = {
  /** Signaling connections, in total. The oldest one that has not signed in is closed; if all have, the new one is refused. */
  open: { name: 'terminals.connections.all', max: 20_000 },
  /**
   * Signaling connections of one address. The oldest one of the address that has not signed in is closed; if all have, the new one is
   * refused.
   */
  openByAddress: { name: 'terminals.connections.address', max: 12_000 },
  /** Silent signaling connections, in total. The oldest is closed. */
  silent: { name: 'terminals.silent.all', max: 4_096 },
  /** Silent signaling connections of one address. The oldest of that address is closed. */
  silentByAddress: { name: 'terminals.silent.address', max: 2_048 },
};

/** Limits for each of the four media ports. */
export const MEDIA_LIMITS: ConnectionLimits = {
  /**
   * Media connections, on each of the four ports. The oldest one that has brought no requested channel is closed; if all have, the new one
   * is refused.
   */
  open: { name: 'terminals.media-connections.all', max: 12_000 },
  /**
   * Media connections of one address, on each port. The oldest one of the address that has brought no requested channel is closed; if all
   * have, the new one is refused.
   */
  openByAddress: { name: 'terminals.media-connections.address', max: 6_000 },
  /** Silent media connections, on each port. The oldest is closed. */
  silent: { name: 'terminals.media-silent.all', max: 4_096 },
  /** Silent media connections of one address, on each port. The oldest of that address is closed. */
  silentByAddress: { name: 'terminals.media-silent.address', max: 2_048 },
};

interface AddressConnections {
  open: number;
  readonly silent: Set<Socket>;
  readonly unproven: Set<Socket>;
}

interface CapsDeps {
  readonly limits: ConnectionLimits;
  readonly onLimit: OnLimit;
}

/** The sets keep the order of arrival: the first in each is the oldest. */
export class ConnectionCaps {
  readonly #limits: ConnectionLimits;
  readonly #onLimit: OnLimit;
  readonly #open = new Map<Socket, string>();
  readonly #silent = new Set<Socket>();
  readonly #unproven = new Set<Socket>();
  readonly #byAddress = new Map<string, AddressConnections>();

  constructor({ limits, onLimit }: CapsDeps) {
    this.#limits = limits;
    this.#onLimit = onLimit;
  }

  get sockets(): Iterable<Socket> {
    return this.#open.keys();
  }

  /** False when there is no room and no unproven connection can be cut to make some. */
  admit(socket: Socket): boolean {
    const key = addressKey(socket.remoteAddress ?? '');
    const { open, openByAddress, silent, silentByAddress, unprovenByAddress } = this.#limits;
    const address = this.#byAddress.get(key) ?? { open: 0, silent: new Set<Socket>(), unproven: new Set<Socket>() };
    if (address.open >= openByAddress.max && !this.#cutOldest(address.unproven, openByAddress)) return false;
    if (this.#open.size >= open.max && !this.#cutOldest(this.#unprovenToCut(), open)) return false;
    // The address's last connection may just have been cut.
    this.#byAddress.set(key, address);
    address.open++;
    this.#open.set(socket, key);
    for (const set of [this.#silent, this.#unproven, address.silent, address.unproven]) set.add(socket);
    if (address.silent.size > silentByAddress.max) this.#cutOldest(address.silent, silentByAddress);
    if (this.#silent.size > silent.max) this.#cutOldest(this.#silent, silent);
    if (unprovenByAddress !== undefined && address.unproven.size > unprovenByAddress.max)
      this.#cutOldest(address.unproven, unprovenByAddress);
    return true;
  }

  /** Marks a connection over which something has come. */
  spoke(socket: Socket): void {
    this.#silent.delete(socket);
    this.#addressOf(socket)?.silent.delete(socket);
  }

  /** Marks a connection as a terminal's: it is not cut to make room for others. */
  proved(socket: Socket): void {
    this.#unproven.delete(socket);
    this.#addressOf(socket)?.unproven.delete(socket);
  }

  left(socket: Socket): void {
    const key = this.#open.get(socket);
    if (key === undefined) return;
    this.spoke(socket);
    this.proved(socket);
    this.#open.delete(socket);
    const address = this.#byAddress.get(key);
    if (address !== undefined && --address.open === 0) this.#byAddress.delete(key);
  }

  #addressOf(socket: Socket): AddressConnections | undefined {
    const key = this.#open.get(socket);
    return key === undefined ? undefined : this.#byAddress.get(key);
  }

  /** Unproven connections: where addresses are bounded separately, those of the address that has the most. */
  #unprovenToCut(): ReadonlySet<Socket> {
    if (this.#limits.unprovenByAddress === undefined) return this.#unproven;
    let most: ReadonlySet<Socket> = new Set();
    for (const { unproven } of this.#byAddress.values()) if (unproven.size > most.size) most = unproven;
    return most;
  }

  #cutOldest(sockets: ReadonlySet<Socket>, limit: Limit): boolean {
    this.#onLimit(limit);
    const [oldest] = sockets;
    if (oldest === undefined) return false;
    this.left(oldest);
    oldest.destroy();
    return true;
  }
}
