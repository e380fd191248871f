// The text of a live link, `deviceid[@mask]/username/credential`, and its sealed form `/live/{hex}`.
// The seal keeps names and credentials from a glance at an address bar or a log; the credential is the access control.
import { gcm } from '@noble/ciphers/aes.js';
import { bytesToHex, hexToBytes, randomBytes } from '@noble/ciphers/utils.js';
import { splitLinkParts } from './linkParts.ts';

export interface VideoLink {
  /** `deviceid` or `deviceid@mask`, as it stands in the link. */
  readonly device: string;
  readonly username: string;
  readonly credential: string;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_HEX = /^[0-9a-f]{64}$/i;

/** Used when the server names no link key: links then open on every installation, which is all the contract asks. */
const BUILT_IN_KEY_HEX = '8f0d6c2be3a94b5d9171f2e80c3a6d4e55b7c91e20fa4d6883c6e1b29a7f340d';

/** The three parts of a plain link's path, percent-decoded, or undefined when there are not exactly three. */
export function parsePlainLink(path: string): VideoLink | undefined {
  const parts = splitLinkParts(path, 3);
  if (parts === undefined) return undefined;
  const [device = '', username = '', credential = ''] = parts;
  return { device, username, credential };
}

/** Seals a link. `keyHex` is the installation's link key; anything but 64 hex digits means the built-in one. */
export function sealLink(link: VideoLink, keyHex: string | null | undefined): string {
  const nonce = randomBytes(NONCE_BYTES);
  const text = [link.device, link.username, link.credential].map(encodeURIComponent).join('/');
  const sealed = gcm(keyBytes(keyHex), nonce).encrypt(new TextEncoder().encode(text));
  return bytesToHex(nonce) + bytesToHex(sealed);
}

/** Opens `/live/{hex}`; undefined for anything that was not sealed with this key. Total. */
export function openLink(hex: string, keyHex: string | null | undefined): VideoLink | undefined {
  if (!/^(?:[0-9a-f]{2})+$/i.test(hex)) return undefined;
  const bytes = hexToBytes(hex);
  if (bytes.byteLength <= NONCE_BYTES + TAG_BYTES) return undefined;
  try {
    const text = gcm(keyBytes(keyHex), bytes.subarray(0, NONCE_BYTES)).decrypt(bytes.subarray(NONCE_BYTES));
    return parsePlainLink(new TextDecoder('utf-8', { fatal: true }).decode(text));
  } catch {
    return undefined; // a wrong key, a changed digit and text that is no UTF-8 are one case: the link does not open
  }
}

function keyBytes(keyHex: string | null | undefined): Uint8Array {
  return hexToBytes(typeof keyHex === 'string' && KEY_HEX.test(keyHex) ? keyHex : BUILT_IN_KEY_HEX);
}
