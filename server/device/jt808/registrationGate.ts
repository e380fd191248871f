// Which registrations are judged, and when, before anything is known of the terminal but what it says.
import type { Limit } from '../../limits/limit.ts';
import { RecentMap } from '../../limits/recentMap.ts';
import { AddressGate, type AddressGateDeps, type Caller } from './addressGate.ts';

/** Remembered addresses, and remembered registrations with their outcome. The one not seen for longest is forgotten. */
export const REMEMBERED_REGISTRATIONS_LIMIT: Limit = { name: 'terminals.registrations.all', max: 20_000 };
/** A terminal that was refused and comes again, at an address that has no place free. */
const REPEATED_WAIT_MS = 5_000;

export interface RegistrationClaim {
  /** Address key. */
  readonly address: string;
  /** Canonical terminal number. */
  readonly number: string;
  readonly identity: string;
}

export type RegistrationOutcome =
  | 'let-in'
  | 'refused'
  /** The connection has ended or was cut before: trying again gains nothing. */
  | 'unjudged'
  /** For a reason of ours. */
  | 'failed';

/** Leave to be judged. */
export interface RegistrationPass {
  /** The same terminal was let in at this address before: it is neither a guess nor part of a sweep. */
  readonly wasLetIn: boolean;
  /** Whether a refusal is noted for an administrator. */
  readonly isListed: boolean;
  leave(outcome: RegistrationOutcome): void;
}

export class RegistrationGate {
  readonly #deps: AddressGateDeps;
  readonly #addresses = new RecentMap<AddressGate>(REMEMBERED_REGISTRATIONS_LIMIT.max);
  readonly #outcomes = new RecentMap<'let-in' | 'refused'>(REMEMBERED_REGISTRATIONS_LIMIT.max);

  constructor(deps: AddressGateDeps) {
    this.#deps = deps;
  }

  /** Undefined for what is not judged: its address has used up its places, or the connection has ended. */
  async enter(claim: RegistrationClaim, caller: Caller): Promise<RegistrationPass | undefined> {
    const before = this.#outcomes.get(keyOf(claim));
    if (before === 'let-in') return this.#pass(claim, { wasLetIn: true, isListed: true });
    const gate = this.#gateOf(claim.address);
    if (before === undefined) return (await gate.enter(caller)) ? this.#pass(claim, { gate }) : undefined;
    if (gate.tryEnter()) return this.#pass(claim, { gate });
    // It learns nothing that it was not told before, so it needs no place; but it does not fill the list either.
    return (await caller.sleep(REPEATED_WAIT_MS)) ? this.#pass(claim, { isListed: false }) : undefined;
  }

  #pass(
    claim: RegistrationClaim,
    { gate, wasLetIn = false, isListed = true }: Partial<RegistrationPass> & { readonly gate?: AddressGate },
  ): RegistrationPass {
    return {
      wasLetIn,
      isListed,
      leave: (outcome) => {
        if (outcome === 'let-in' || outcome === 'refused') this.#remember(this.#outcomes, keyOf(claim), outcome);
        gate?.leave(outcome === 'let-in' || outcome === 'failed');
      },
    };
  }

  #gateOf(address: string): AddressGate {
    const gate = this.#addresses.get(address) ?? new AddressGate(this.#deps);
    this.#remember(this.#addresses, address, gate);
    return gate;
  }

  #remember<Value>(map: RecentMap<Value>, key: string, value: Value): void {
    if (map.set(key, value) !== undefined) this.#deps.onLimit(REMEMBERED_REGISTRATIONS_LIMIT);
  }
}

function keyOf({ address, number, identity }: RegistrationClaim): string {
  return `${address} ${number} ${identity}`;
}
