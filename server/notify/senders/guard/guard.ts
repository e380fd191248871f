// Keeps senders out of the gateway's own network. Addresses are checked when a connection is made and not when a sender is saved: the
// addresses of a name may have changed in between.
import { promises as dns, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { createAddressRule } from './publicAddress.ts';

class AddressRefused extends Error {
  override readonly name = 'AddressRefused';

  constructor(host: string) {
    super(
      isIP(host) === 0
        ? `${host} resolves to a private address; add it to NOTIFY_NETWORKS`
        : `${host} is a private address; add it to NOTIFY_NETWORKS`,
    );
  }
}

export interface Guard {
  /** Checks addresses, which are never looked up. */
  checkLiteral(host: string): AddressRefused | undefined;
  /** The `lookup` of a socket. Fails when one of the found addresses is not allowed. */
  readonly lookup: LookupFunction;
}

/** Returns all addresses of a name. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

const resolveBySystem: Resolve = (host) => dns.lookup(host, { all: true });

/** `networks`: private networks that may be reached. */
export function createGuard(networks: readonly string[], resolve: Resolve = resolveBySystem): Guard {
  const mayConnect = createAddressRule(networks);
  const allowedAddressesOf = async (host: string): Promise<readonly LookupAddress[]> => {
    const found = await resolve(host);
    // One private address among public ones is refused too: it isn't decided here which of them is used.
    if (!found.every(({ address }) => mayConnect(address))) throw new AddressRefused(host);
    if (found.length === 0) throw new Error(`${host} has no address`);
    return found;
  };
  return {
    checkLiteral: (host) => (isIP(host) !== 0 && !mayConnect(host) ? new AddressRefused(host) : undefined),
    lookup: (host, { all, family }, callback) => {
      allowedAddressesOf(host).then(
        (found) => {
          const wanted = ofFamily(found, family);
          const [first] = wanted;
          if (first === undefined) callback(new Error(`${host} has no address of this kind`), '', 0);
          else if (all === true) callback(null, [...wanted]);
          else callback(null, first.address, first.family);
        },
        (error: Error) => callback(error, '', 0),
      );
    },
  };
}

function ofFamily(found: readonly LookupAddress[], family: unknown): readonly LookupAddress[] {
  if (family === 4 || family === 'IPv4') return found.filter((each) => each.family === 4);
  if (family === 6 || family === 'IPv6') return found.filter((each) => each.family === 6);
  return found;
}
