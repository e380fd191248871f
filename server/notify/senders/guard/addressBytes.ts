// IP addresses as bytes, so that every notation is judged alike. Pure.
import { isIP } from 'node:net';

/** 4 or 16 bytes; undefined for a text that is no address. A zone (`%eth0`) is left out. */
export function addressBytes(text: string): readonly number[] | undefined {
  const address = text.split('%')[0] ?? '';
  switch (isIP(address)) {
    case 4:
      return address.split('.').map(Number);
    case 6:
      return ipv6Bytes(address);
    default:
      return undefined;
  }
}

function ipv6Bytes(address: string): readonly number[] {
  const [head = '', tail] = address.split('::');
  const front = groupBytes(head);
  const back = groupBytes(tail ?? '');
  const zeros = Array.from({ length: 16 - front.length - back.length }, () => 0);
  return [...front, ...zeros, ...back];
}

/** The last group may be an IPv4 address. */
function groupBytes(part: string): readonly number[] {
  if (part === '') return [];
  return part.split(':').flatMap((group) => {
    if (group.includes('.')) return group.split('.').map(Number);
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}

export interface Network {
  readonly bytes: readonly number[];
  readonly bits: number;
}

/** `10.0.0.0/8`, or one address. Throws for anything else: the configuration has been checked. */
export function parseNetwork(text: string): Network {
  const [address = '', prefix] = text.split('/');
  const bytes = addressBytes(address);
  if (bytes === undefined) throw new Error(`${text} is no network`);
  return { bytes, bits: prefix === undefined ? bytes.length * 8 : Number(prefix) };
}

export function isInNetwork(address: readonly number[], { bytes, bits }: Network): boolean {
  if (address.length !== bytes.length) return false;
  return bytes.every((byte, index) => {
    const counted = Math.min(Math.max(bits - index * 8, 0), 8);
    const mask = (0xff << (8 - counted)) & 0xff;
    return ((address[index] ?? 0) & mask) === (byte & mask);
  });
}
