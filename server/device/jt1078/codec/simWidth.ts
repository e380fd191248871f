// Determines whether the SIM field of a media connection has 6 or 10 bytes. Both readings of a packet can look valid:
// digits of the SIM read as channel and type, and an interval between frames as a length.
import { digitsOf } from '../../jt808/codec/bcd.ts';
import { isTerminal } from '../../jt808/codec/header.ts';
import { hasMagic, MAGIC_BYTES } from '../../jt808/codec/streamMagic.ts';
import { probePacket, type SimBytes } from './packet.ts';

export interface SimHints {
  /** Canonical number of the signed-in terminal whose media is expected. It decides the width at once. */
  readonly knownTerminal?: string;
  /** The same where several terminals may have connected; called with the digits of each reading, 12 and 20. */
  readonly isExpected?: (digits: string) => boolean;
}

export interface SimEvidence extends SimHints {
  /** The connection has ended: nothing will follow. */
  readonly ended: boolean;
}

const SIM_AT = 8;
/** Until the width is known, a length may be read from other fields. Lengths that no terminal sends are not waited for. */
const MAX_UNDECIDED_BODY_BYTES = 4096;

type Reading =
  | { readonly is: 'impossible' }
  /** The header is not complete. */
  | { readonly is: 'waiting' }
  | { readonly is: 'plausible'; readonly end: number; readonly followed: boolean | undefined };

/** The width of the SIM in the packet at the start of `bytes`; undefined: more bytes must tell; `neither`: no packet. */
export function simWidth(bytes: Uint8Array, evidence: SimEvidence): SimBytes | 'neither' | undefined {
  if (bytes.length < SIM_AT + 10) return undefined;
  // Neither width gives an existing type. This rejects most bytes that are no packet without comparing numbers, the most
  // expensive part.
  if (isNoType(bytes, 6) && isNoType(bytes, 10)) return 'neither';
  return widthOfKnown(bytes, evidence) ?? widthOfShape(readWith(bytes, 6, evidence), readWith(bytes, 10, evidence));
}

function isNoType(bytes: Uint8Array, simBytes: SimBytes): boolean {
  const probe = probePacket(bytes, 0, simBytes);
  return !probe.ok && probe.reason === 'type';
}

function widthOfKnown(bytes: Uint8Array, hints: SimHints): SimBytes | undefined {
  const isKnown = (simBytes: SimBytes): boolean => {
    const raw = digitsOf(bytes.subarray(SIM_AT, SIM_AT + simBytes));
    if (hints.knownTerminal !== undefined && isTerminal(raw, hints.knownTerminal)) return true;
    return hints.isExpected?.(raw) ?? false;
  };
  const known6 = isKnown(6);
  return known6 === isKnown(10) ? undefined : known6 ? 6 : 10;
}

/** The result doesn't depend on how much has arrived beyond the bytes it needs, so that chunking doesn't change what is read. */
function widthOfShape(six: Reading, ten: Reading): SimBytes | 'neither' | undefined {
  if (six.is === 'impossible' && ten.is === 'impossible') return 'neither';
  if (ten.is === 'impossible') return six.is === 'plausible' ? 6 : undefined;
  if (six.is === 'impossible') return ten.is === 'plausible' ? 10 : undefined;
  if (six.is === 'waiting' || ten.is === 'waiting') return undefined;
  if (six.followed === true && ten.followed === true) return six.end <= ten.end ? 6 : 10;
  if (six.followed === true) return 6;
  if (ten.followed === true) return 10;
  return six.followed === false && ten.followed === false ? 'neither' : undefined;
}

function readWith(bytes: Uint8Array, simBytes: SimBytes, evidence: SimEvidence): Reading {
  const probe = probePacket(bytes, 0, simBytes);
  if (!probe.ok) return { is: probe.reason === 'type' || evidence.ended ? 'impossible' : 'waiting' };
  if (probe.bodyBytes > MAX_UNDECIDED_BODY_BYTES) return { is: 'impossible' };
  const end = probe.headerBytes + probe.bodyBytes;
  return { is: 'plausible', end, followed: isFollowed(bytes, end, evidence.ended) };
}

/** Whether the next packet begins at `end`; undefined while that is not known. */
function isFollowed(bytes: Uint8Array, end: number, ended: boolean): boolean | undefined {
  if (ended && bytes.length === end) return true;
  if (bytes.length >= end + MAGIC_BYTES) return hasMagic(bytes, end);
  return ended ? false : undefined;
}
