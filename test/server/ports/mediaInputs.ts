// Media packets in the name of a terminal whose channels are expected: behind the first one lie the assembler, the count of what is
// missing, the packetiser, and whoever watches.
import {
  DataType,
  decodePacket,
  encodePacket,
  type MediaPacket,
  SubPackage,
} from '../../../server/device/jt1078/codec/packet.ts';
import { damaged, pick, type Random } from '../../support/fuzz.ts';
import { ofHex, vectors } from '../../unit/server/device/jt808/codec/vectors.ts';
import { CHANNELS, PLAYED_FROM_S } from './fuzzedTerminal.ts';
import type { Conversation } from './inputs.ts';

const published = vectors.flatMap(({ protocol, hex }) => {
  if (protocol !== 'jt1078') return [];
  return ([6, 10] as const).flatMap((simBytes) => {
    const result = decodePacket(ofHex(hex), simBytes);
    return result.ok ? [result.packet] : [];
  });
});

/** A key frame with its parameter sets, as small as one can be. */
const KEY_FRAME = Uint8Array.from([
  0, 0, 0, 1, 0x67, 0x42, 0xc0, 0x1e, 0xda, 0x02, 0x80, 0xbf, 0xe5, 0, 0, 0, 1, 0x68, 0xce, 0x3c, 0x80, 0, 0, 0, 1,
  0x65, 0x88, 0x84, 0, 0x33, 0xff,
]);
const DELTA = Uint8Array.from([0, 0, 0, 1, 0x41, 0x9a, 0x24, 0x6c, 0x43]);
const PICTURE_MS = 40;

/** Most of it bears the terminal's number; some of it another's, or none that is one. */
export function expectedMedia(number: string): Conversation {
  return (random) => {
    const count = 2 + random(14);
    const packets = Array.from({ length: count }, (_, at) => encodePacket(packetOf(number, at, random)));
    const [first = new Uint8Array(), ...rest] = packets;
    switch (random(4)) {
      case 0:
        return joined(packets);
      case 1:
        return damaged(joined(packets), random);
      default: // what is damaged comes over a connection that is let in
        return joined([first, damaged(joined(rest), random)]);
    }
  };
}

function packetOf(number: string, at: number, random: Random): MediaPacket {
  const sim = random(3) === 0 && at > 0 ? pick(['013912345678', '0'.repeat(20), 'f'.repeat(12)], random) : number;
  const own = {
    sim: wide(sim, random),
    channel: at === 0 ? pick([1, 1, ...CHANNELS], random) : pick(CHANNELS, random),
  };
  const sequence = random(8) === 0 ? random(0x1_0000) : at;
  const timestampMs =
    PLAYED_FROM_S * 1_000 + at * PICTURE_MS + (random(10) === 0 ? random(20_000_000) - 10_000_000 : 0);
  const packet = at === 0 ? opening(random) : random(2) === 0 ? pick(published, random) : made(at, random);
  return { ...packet, ...own, sequence, timestampMs };
}

/** A terminal of either edition: the last 12 digits, or all that there are. */
function wide(sim: string, random: Random): string {
  if (sim.length === 20) return sim;
  return random(2) === 0 ? sim.padStart(12, '0') : sim.padStart(20, '0');
}

/** A whole picture or a whole frame of sound: what lets the connection in and makes a packet for viewers. */
function opening(random: Random): MediaPacket {
  const isSound = random(2) === 0;
  const whole = { ...made(0, random), subPackage: SubPackage.Atomic };
  if (isSound) return { ...whole, payloadType: 6, dataType: DataType.Audio, body: new Uint8Array(160) };
  return { ...whole, payloadType: 98, dataType: DataType.I, body: KEY_FRAME };
}

function made(at: number, random: Random): MediaPacket {
  const isSound = random(4) === 0;
  const isKey = !isSound && (at < 2 || random(4) === 0);
  const body = isSound ? new Uint8Array(random(400)) : isKey ? KEY_FRAME : DELTA;
  return {
    payloadType: isSound ? pick([6, 7, 19, 26, 8, 255 & 0x7f], random) : pick([98, 98, 98, 99], random),
    marker: random(2) === 0,
    sequence: 0,
    sim: '',
    channel: 1,
    dataType: isSound ? DataType.Audio : isKey ? DataType.I : pick([DataType.P, DataType.B], random),
    subPackage: pick(
      [SubPackage.Atomic, SubPackage.Atomic, SubPackage.First, SubPackage.Middle, SubPackage.Last],
      random,
    ),
    lastKeyIntervalMs: random(0x1_0000),
    lastFrameIntervalMs: PICTURE_MS,
    body: random(5) === 0 ? damaged(body.length === 0 ? DELTA : body, random) : body,
  };
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts));
}
