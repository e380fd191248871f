// Which addresses are public on the internet, and which lead into the gateway's own network. Pure.
import { addressBytes, isInNetwork, type Network, parseNetwork } from './addressBytes.ts';

/** Networks of IANA's special-purpose registry (RFC 6890 and its successors) that are not globally reachable. */
const PRIVATE_IPV4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by carriers
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, with the metadata of clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, with broadcast
].map(parseNetwork);

/** All other addresses are loopback, unique local, link-local, multicast, unspecified or not assigned. */
const GLOBAL_IPV6 = parseNetwork('2000::/3');
const PRIVATE_IPV6 = [
  '2001::/23', // protocol assignments, with Teredo, whose inner address can be any
  '2001:db8::/32', // documentation
  '3fff::/20', // documentation
].map(parseNetwork);

/** Networks whose addresses contain an IPv4 address, and its first byte. */
const MAPPED = parseNetwork('::ffff:0:0/96');
const HOLDS_IPV4: readonly (readonly [Network, number])[] = [
  [MAPPED, 12],
  [parseNetwork('64:ff9b::/96'), 12], // NAT64
  [parseNetwork('2002::/16'), 2], // 6to4
];

/** False for anything that is no address. */
export function isPublicAddress(address: string): boolean {
  const bytes = addressBytes(address);
  return bytes !== undefined && isPublic(bytes);
}

function isPublic(bytes: readonly number[]): boolean {
  if (bytes.length === 4) return !PRIVATE_IPV4.some((network) => isInNetwork(bytes, network));
  const holder = HOLDS_IPV4.find(([network]) => isInNetwork(bytes, network));
  if (holder !== undefined) return isPublic(bytes.slice(holder[1], holder[1] + 4));
  return isInNetwork(bytes, GLOBAL_IPV6) && !PRIVATE_IPV6.some((network) => isInNetwork(bytes, network));
}

/** Whether a sender may connect to an address. */
export type AddressRule = (address: string) => boolean;

/** Public addresses, and those in `networks` (NOTIFY_NETWORKS). */
export function createAddressRule(networks: readonly string[]): AddressRule {
  const allowed = networks.map(parseNetwork);
  return (address) => {
    const bytes = addressBytes(address);
    if (bytes === undefined) return false;
    // An IPv4 address in IPv6 notation is the same address.
    const plain = isInNetwork(bytes, MAPPED) ? bytes.slice(12) : bytes;
    return isPublic(bytes) || allowed.some((network) => isInNetwork(plain, network));
  };
}
