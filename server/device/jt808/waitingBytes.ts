// Bytes that all connections of a port have read and not handled, and which connections are cut when there are too many.
import type { Limit, OnLimit } from '../../limits/limit.ts';

/**
 * Data read but not yet processed, of all connections, signed in or not. Connections that have not signed in make room first: the one whose
 * data has waited longest, of the address with the most bytes, is closed. If only signed-in terminals have bytes waiting, the one with the
 * most is closed.
 */
export const ALL_WAITING_BYTES_LIMIT: Limit = { name: 'terminals.waiting-bytes.all', max: 64 * 1024 * 1024 };
/**
 * Data read but not yet processed, with the current chunks, of all connections that have not signed in: enough for a registration on each
 * of the most that are allowed, three times over. The connection whose data has waited longest, of the address with the most bytes, is
 * closed.
 */
export const UNAUTHENTICATED_BYTES_LIMIT: Limit = {
  name: 'terminals.waiting-bytes.all-unauthenticated',
  max: 16 * 1024 * 1024,
};
/**
 * Data read but not yet processed, with the current chunks, of all connections of one address that have not signed in: a fleet that comes
 * back behind one carrier fits in, and leaves room for other addresses. The connection of that address whose data has waited longest is
 * closed.
 */
export const ADDRESS_BYTES_LIMIT: Limit = { name: 'terminals.waiting-bytes.address', max: 8 * 1024 * 1024 };

/** A connection that holds bytes. */
export interface BytesHolder {
  /** Address key. */
  readonly address: string;
  readonly heldBytes: number;
  readonly hasSignedIn: boolean;
  /** Gives back all it holds, and ends. */
  cut(): void;
}

interface AddressBytes {
  held: number;
  /** The one that has held bytes for longest comes first. */
  readonly holders: Set<BytesHolder>;
}

export class WaitingBytes {
  readonly #onLimit: OnLimit;
  /** Connections that have not signed in, by address. */
  readonly #byAddress = new Map<string, AddressBytes>();
  readonly #terminals = new Set<BytesHolder>();
  #strangersHeld = 0;
  #terminalsHeld = 0;

  constructor(onLimit: OnLimit) {
    this.#onLimit = onLimit;
  }

  get held(): number {
    return this.#strangersHeld + this.#terminalsHeld;
  }

  /** Adds to the bytes that the holder holds; negative when it holds fewer. */
  changed(holder: BytesHolder, bytes: number): void {
    if (holder.hasSignedIn) this.#changeTerminal(holder, bytes);
    else this.#changeUnauthenticated(holder, bytes);
    if (bytes > 0) this.#makeRoom(holder);
  }

  #changeTerminal(holder: BytesHolder, bytes: number): void {
    this.#terminalsHeld += bytes;
    if (holder.heldBytes > 0) this.#terminals.add(holder);
    else this.#terminals.delete(holder);
  }

  #changeUnauthenticated(holder: BytesHolder, bytes: number): void {
    const own = this.#byAddress.get(holder.address) ?? { held: 0, holders: new Set() };
    this.#strangersHeld += bytes;
    own.held += bytes;
    if (holder.heldBytes > 0) own.holders.add(holder);
    else own.holders.delete(holder);
    if (own.holders.size > 0) this.#byAddress.set(holder.address, own);
    else this.#byAddress.delete(holder.address);
  }

  #makeRoom({ address }: BytesHolder): void {
    const own = this.#byAddress.get(address);
    while (own !== undefined && own.held > ADDRESS_BYTES_LIMIT.max) {
      this.#onLimit(ADDRESS_BYTES_LIMIT);
      cutFirst(own.holders);
    }
    while (this.#strangersHeld > UNAUTHENTICATED_BYTES_LIMIT.max) {
      this.#onLimit(UNAUTHENTICATED_BYTES_LIMIT);
      cutFirst(this.#fullestAddress());
    }
    while (this.held > ALL_WAITING_BYTES_LIMIT.max) {
      this.#onLimit(ALL_WAITING_BYTES_LIMIT);
      if (this.#strangersHeld > 0) cutFirst(this.#fullestAddress());
      else mostOf(this.#terminals, ({ heldBytes }) => heldBytes)?.cut();
    }
  }

  #fullestAddress(): Iterable<BytesHolder> {
    return mostOf(this.#byAddress.values(), ({ held }) => held)?.holders ?? [];
  }
}

function cutFirst(holders: Iterable<BytesHolder>): void {
  for (const holder of holders) {
    holder.cut();
    return;
  }
}

function mostOf<Item>(items: Iterable<Item>, measure: (item: Item) => number): Item | undefined {
  let most: Item | undefined;
  for (const item of items) if (most === undefined || measure(item) > measure(most)) most = item;
  return most;
}
