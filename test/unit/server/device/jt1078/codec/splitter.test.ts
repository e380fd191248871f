import { describe, expect, it, vi } from 'vitest';
import {
  DataType,
  encodePacket,
  type MediaPacket,
  SubPackage,
} from '../../../../../../server/device/jt1078/codec/packet.ts';
import { type MediaEvent, MediaSplitter } from '../../../../../../server/device/jt1078/codec/splitter.ts';
import { negativeVectors, ofHex, vectorNamed } from '../../jt808/codec/vectors.ts';

const SHORT_SIM = '013912345678';
/** Zeros in front, and digits behind them that pass for a channel and a type in a six-byte reading. */
const LONG_SIM = '00000000013800138000';

function video(sequence: number, changes: Partial<MediaPacket> = {}): MediaPacket {
  return {
    payloadType: 98,
    marker: true,
    sequence,
    sim: SHORT_SIM,
    channel: 1,
    dataType: DataType.P,
    subPackage: SubPackage.Atomic,
    timestampMs: 1_700_000_000_000 + sequence * 40,
    lastKeyIntervalMs: 640,
    lastFrameIntervalMs: 40,
    body: Uint8Array.from({ length: 20 }, (_, at) => (at * 7 + sequence) & 0xff),
    ...changes,
  };
}

function stream(...packets: readonly (MediaPacket | Uint8Array)[]): Uint8Array {
  return Buffer.concat(packets.map((each) => (each instanceof Uint8Array ? each : encodePacket(each))));
}

function pushAll(splitter: MediaSplitter, bytes: Uint8Array, chunkBytes: number): MediaEvent[] {
  const events: MediaEvent[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    events.push(...splitter.push(bytes.slice(at, at + chunkBytes)));
  }
  return events;
}

const packetsOf = (events: readonly MediaEvent[]): MediaPacket[] =>
  events.flatMap((event) => (event.kind === 'packet' ? [event.packet] : []));

const skippedOf = (events: readonly MediaEvent[]): number =>
  events.reduce((sum, event) => sum + (event.kind === 'fault' ? event.skippedBytes : 0), 0);

const CHUNKS = [1, 2, 3, 7, 34, 61, 1_000_000];

describe('MediaSplitter', () => {
  it.each(CHUNKS)('cuts packets out of chunks of %i bytes', (chunkBytes) => {
    const packets = [
      video(1),
      video(2, { body: new Uint8Array(950).fill(0x30) }),
      video(3, { body: new Uint8Array(0) }),
      video(4),
    ];
    const events = pushAll(new MediaSplitter(), stream(...packets), chunkBytes);
    expect(packetsOf(events)).toEqual(packets);
    expect(skippedOf(events)).toBe(0);
  });

  it('finds two packets in one read', () => {
    const { hex, fields } = vectorNamed('media-two-packets-in-one-read-smallchi');
    const splitter = new MediaSplitter();
    const events = [...splitter.push(ofHex(hex)), ...splitter.end()];
    expect(packetsOf(events).map(({ sequence }) => sequence)).toEqual([1709, 1710]);
    expect(fields.packets).toHaveLength(2);
  });

  it('is not misled by the magic number within a body', () => {
    const inner = encodePacket(video(9, { body: new Uint8Array(3) }));
    const packets = [video(1, { body: inner }), video(2)];
    const splitter = new MediaSplitter();
    expect(packetsOf([...splitter.push(stream(...packets)), ...splitter.end()])).toEqual(packets);
  });

  it('hands out bodies that later chunks do not change', () => {
    const splitter = new MediaSplitter({ knownTerminal: '13912345678' });
    const packets = Array.from({ length: 200 }, (_, index) => video(index, { body: new Uint8Array(50).fill(index) }));
    const seen = packetsOf(pushAll(splitter, stream(...packets), 33));
    expect(seen).toEqual(packets);
  });

  it('copies no body of a packet that comes whole', () => {
    const chunk = new Uint8Array(stream(video(1), video(2)));
    const [first] = packetsOf(new MediaSplitter().push(chunk));
    expect(first?.body.buffer).toBe(chunk.buffer);
  });

  it('takes bodies as long as the length field allows, and no longer than it was told', () => {
    const long = video(2, { body: new Uint8Array(65_535) });
    const bytes = stream(video(1), long, video(3));
    expect(packetsOf(pushAll(new MediaSplitter(), bytes, 4096))).toHaveLength(3);
    const strict = pushAll(new MediaSplitter({ maxBodyBytes: 2000 }), bytes, 4096);
    expect(packetsOf(strict).map(({ sequence }) => sequence)).not.toContain(2);
  });

  it('copies each byte a few times at most, though a packet comes byte by byte', () => {
    const bytes = stream(...Array.from({ length: 4 }, (_, index) => video(index, { body: new Uint8Array(65_535) })));
    const splitter = new MediaSplitter({ knownTerminal: '13912345678' });
    const set = vi.spyOn(Uint8Array.prototype, 'set');
    try {
      expect(packetsOf(pushAll(splitter, bytes, 1))).toHaveLength(4);
      const copied = set.mock.calls.reduce((sum, [source]) => sum + source.length, 0);
      expect(copied).toBeGreaterThan(bytes.length / 2);
      expect(copied).toBeLessThan(4 * bytes.length);
    } finally {
      set.mockRestore();
    }
  });
});

describe('resynchronisation', () => {
  it.each(CHUNKS)('goes on after noise, in chunks of %i bytes', (chunkBytes) => {
    const noise = Uint8Array.from({ length: 100 }, (_, at) => (at % 3 === 0 ? 0x30 : 0x31));
    const bytes = stream(noise, video(1), video(2), noise, video(3), video(4));
    const splitter = new MediaSplitter();
    const events = [...pushAll(splitter, bytes, chunkBytes), ...splitter.end()];
    expect(packetsOf(events).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
    expect(skippedOf(events)).toBe(200);
  });

  it('passes over a magic number with types that do not exist', () => {
    const broken = new Uint8Array(encodePacket(video(2)));
    broken[15] = 0x77;
    const splitter = new MediaSplitter();
    const events = [...splitter.push(stream(video(1), broken, video(3), video(4))), ...splitter.end()];
    expect(packetsOf(events).map(({ sequence }) => sequence)).toEqual([1, 3, 4]);
    expect(skippedOf(events)).toBe(broken.length);
  });

  it.each(
    negativeVectors
      .filter(({ protocol }) => protocol === 'jt1078')
      .map((vector) => [vector.expect, vector.hex] as const),
  )('%s', (_, hex) => {
    const splitter = new MediaSplitter();
    const events = splitter.push(ofHex(hex));
    expect(packetsOf(events)).toEqual([]);
    // A packet that is not complete is waited for; what cannot become one is passed over.
    expect(skippedOf(events)).toBe(hex.startsWith('30316364') ? 0 : ofHex(hex).length);
  });

  it('goes on behind the wrong magic number of the published list', () => {
    const wrong = negativeVectors.find(({ expect: text }) => text.startsWith('wrong magic'));
    const splitter = new MediaSplitter();
    splitter.push(ofHex(wrong?.hex ?? ''));
    expect(packetsOf(splitter.push(stream(video(1), video(2))))).toEqual([video(1), video(2)]);
  });

  it('completes the cut packets of the published list when the rest comes', () => {
    const cut = negativeVectors.find(({ expect: text }) => text.startsWith('28 bytes'));
    if (cut === undefined) throw new Error('no such vector');
    const splitter = new MediaSplitter();
    const events = [
      ...splitter.push(ofHex(cut.hex)),
      ...splitter.push(ofHex(`${'00'.repeat(28 - cut.hex.length / 2)}0002aabb`)),
      ...splitter.end(),
    ];
    expect(packetsOf(events)).toMatchObject([{ sim: '295696659617', body: ofHex('aabb') }]);
  });
});

describe('width of the SIM', () => {
  const long = (sequence: number, changes: Partial<MediaPacket> = {}): MediaPacket =>
    video(sequence, { sim: LONG_SIM, ...changes });

  it('is ten where the next packet stands behind a ten-byte reading, though six look perfect as well', () => {
    const splitter = new MediaSplitter();
    const first = encodePacket(long(1));
    expect(splitter.push(first)).toEqual([]);
    expect(packetsOf(splitter.push(encodePacket(long(2))))).toEqual([long(1), long(2)]);
  });

  it('is six where the next packet stands behind a six-byte reading', () => {
    // The first bytes of the timestamp and a channel of 0 pass for a SIM of zeros: both readings are possible.
    const short = (sequence: number): MediaPacket => video(sequence, { sim: '000056789012', timestampMs: sequence });
    const splitter = new MediaSplitter();
    expect(splitter.push(encodePacket(short(1)))).toEqual([]);
    expect(packetsOf(splitter.push(encodePacket(short(2))))).toEqual([short(1), short(2)]);
  });

  it('is known at once where the other reading is impossible', () => {
    expect(packetsOf(new MediaSplitter().push(ofHex(vectorNamed('media-p-atomic-smallchi-1').hex)))).toHaveLength(1);
  });

  it.each([
    ['the session has the number', { knownTerminal: '13800138000' }],
    ['a terminal with the number is expected', { isExpected: (digits: string) => digits === '00000000013800138000' }],
  ])('is known at once where %s', (_, options) => {
    expect(packetsOf(new MediaSplitter(options).push(encodePacket(long(1))))).toEqual([long(1)]);
  });

  it('is six for a session whose 20-digit number ends in the six bytes', () => {
    const splitter = new MediaSplitter({ knownTerminal: '12345678901234567890' });
    const packet = video(1, { sim: '901234567890', timestampMs: 0 });
    expect(packetsOf(splitter.push(encodePacket(packet)))).toEqual([packet]);
  });

  it('is left open by a session of another number', () => {
    expect(packetsOf(new MediaSplitter({ knownTerminal: '999' }).push(encodePacket(long(1))))).toEqual([]);
  });

  it('is settled by the end of the connection', () => {
    const splitter = new MediaSplitter();
    expect(splitter.push(encodePacket(long(1)))).toEqual([]);
    expect(packetsOf(splitter.end())).toEqual([long(1)]);
  });

  it.each([
    ['ten', '00000000000010000000', 22, 30],
    ['six', '000056789012', 18, 34],
  ] as const)('is %s where that reading ends first and both are followed', (_, sim, headerBytes, otherHeaderBytes) => {
    const next = video(2, { sim });
    const body = new Uint8Array(30);
    const { timestampMs: _time, lastKeyIntervalMs: _key, lastFrameIntervalMs: _frame, ...plain } = video(1);
    const packet: MediaPacket = { ...plain, sim, dataType: DataType.Passthrough, body };
    // Read in the other width this is video, whose length field lies in the body and reaches to the end of the next packet.
    const lengthAt = otherHeaderBytes - 1 - headerBytes;
    body[lengthAt] = headerBytes + body.length + encodePacket(next).length - otherHeaderBytes;
    for (const chunkBytes of [1, 1_000_000]) {
      const events = pushAll(new MediaSplitter(), stream(packet, next, video(3, { sim })), chunkBytes);
      expect(packetsOf(events).slice(0, 2)).toEqual([packet, next]);
    }
  });

  it('does not wait for a length above 4096 while it is open', () => {
    // A six-byte reading takes the interval since the key frame, 0x7000, for the length.
    const packet = long(1, { lastKeyIntervalMs: 0x7000 });
    expect(packetsOf(new MediaSplitter().push(encodePacket(packet)))).toEqual([packet]);
  });

  it.each(CHUNKS)('comes out the same in chunks of %i bytes', (chunkBytes) => {
    const packets = [long(1), long(2, { dataType: DataType.I }), long(3), long(4)];
    const splitter = new MediaSplitter();
    expect(packetsOf([...pushAll(splitter, stream(...packets), chunkBytes), ...splitter.end()])).toEqual(packets);
  });
});
