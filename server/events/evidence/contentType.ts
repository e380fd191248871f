// The type of a file, determined by its own bytes: the name that a terminal gives it is not trusted. Pure.

export type ContentType =
  | 'image/jpeg'
  | 'image/png'
  | 'audio/wav'
  | 'audio/mpeg'
  | 'video/mp4'
  | 'video/h264'
  | 'text/plain'
  | 'application/octet-stream';

/** Number of bytes at the beginning that identify the type of a file. */
export const HEAD_BYTES = 512;

const SHOWN: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'audio/wav', 'audio/mpeg', 'video/mp4']);

/** Whether a browser may show it in place; everything else is a download. */
export function isShownInPlace(contentType: string): boolean {
  return SHOWN.has(contentType);
}

export function contentTypeOf(head: Uint8Array): ContentType {
  if (begins(head, [0xff, 0xd8, 0xff])) return 'image/jpeg';
  if (begins(head, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'image/png';
  if (hasText(head, 0, 'RIFF') && hasText(head, 8, 'WAVE')) return 'audio/wav';
  if (hasText(head, 4, 'ftyp')) return 'video/mp4';
  if (isH264(head)) return 'video/h264';
  if (hasText(head, 0, 'ID3') || isMp3Frame(head)) return 'audio/mpeg';
  return isText(head) ? 'text/plain' : 'application/octet-stream';
}

/** Whether there is a start code and the header of a NAL unit with which such a stream begins. */
function isH264(head: Uint8Array): boolean {
  const at = begins(head, [0, 0, 0, 1]) ? 4 : begins(head, [0, 0, 1]) ? 3 : undefined;
  const header = at === undefined ? undefined : head[at];
  return header !== undefined && (header & 0x80) === 0 && [1, 5, 6, 7, 9].includes(header & 0x1f);
}

/** Whether there is the header of an MPEG audio frame of layer III, with a bit rate and a sample rate that exist. */
function isMp3Frame([first, second = 0, third = 0]: Uint8Array): boolean {
  const isLayer3 = first === 0xff && (second & 0xe6) === 0xe2 && (second & 0x18) !== 0x08;
  const bitRate = third >> 4;
  return isLayer3 && bitRate !== 0 && bitRate !== 15 && (third & 0x0c) !== 0x0c;
}

/** Whether it is UTF-8 without control characters; the last character may be cut. */
function isText(head: Uint8Array): boolean {
  if (head.length === 0 || head.some((byte) => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d)) {
    return false;
  }
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}

function begins(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, at) => bytes[at] === byte);
}

function hasText(bytes: Uint8Array, at: number, text: string): boolean {
  return [...text].every((letter, index) => bytes[at + index] === letter.charCodeAt(0));
}
