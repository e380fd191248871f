import { describe, expect, it } from 'vitest';
import { type AssemblerEvent, FrameAssembler } from '../../../../../../server/device/jt1078/codec/assembler.ts';
import {
  DataType,
  decodePacket,
  type MediaPacket,
  SubPackage,
} from '../../../../../../server/device/jt1078/codec/packet.ts';
import { ofHex, sha1, vectorNamed } from '../../jt808/codec/vectors.ts';

const { Atomic, First, Middle, Last } = SubPackage;

function packet(sequence: number, subPackage: SubPackage, changes: Partial<MediaPacket> = {}): MediaPacket {
  return {
    payloadType: 98,
    marker: false,
    sequence,
    sim: '013912345678',
    channel: 1,
    dataType: DataType.P,
    subPackage,
    timestampMs: 1000,
    body: Uint8Array.of(sequence & 0xff),
    ...changes,
  };
}

const audio = (sequence: number, changes: Partial<MediaPacket> = {}): MediaPacket =>
  packet(sequence, Atomic, { payloadType: 6, dataType: DataType.Audio, ...changes });

function assemble(packets: readonly MediaPacket[], assembler = new FrameAssembler()): AssemblerEvent[] {
  return packets.flatMap((each) => assembler.push(each));
}

/** Short words for events: `video 1,2,3` with an exclamation mark after a loss, `- gap` for a frame dropped. */
function told(events: readonly AssemblerEvent[]): string[] {
  const shown = events.filter((event) => event.kind !== 'missing');
  return shown.map((event) => {
    if (event.kind === 'dropped') return `- ${event.reason}`;
    const name = event.kind === 'frame' ? event.media : event.kind;
    return `${name} ${event.bytes.join()}${event.kind === 'frame' && event.lost ? '!' : ''}`;
  });
}

describe('FrameAssembler', () => {
  it('passes a frame of one packet on without a copy', () => {
    const one = packet(1, Atomic, { dataType: DataType.I });
    const [frame] = assemble([one]);
    expect(frame).toEqual({
      kind: 'frame',
      channel: 1,
      media: 'video',
      dataType: DataType.I,
      payloadType: 98,
      timestampMs: 1000,
      bytes: one.body,
      lost: false,
    });
    expect(frame?.kind === 'frame' && frame.bytes.buffer).toBe(one.body.buffer);
  });

  it('joins the packets of a frame', () => {
    expect(told(assemble([packet(1, First), packet(2, Middle), packet(3, Middle), packet(4, Last)]))).toEqual([
      'video 1,2,3,4',
    ]);
  });

  it('joins the published two packets to the published frame', () => {
    const vector = vectorNamed('media-p-last-of-two');
    const packets = (vector.reassembled?.order ?? []).map((name) => {
      const result = decodePacket(ofHex(vectorNamed(name).hex), 6);
      if (!result.ok) throw new Error(result.reason);
      return result.packet;
    });
    const [frame] = assemble(packets);
    expect(frame?.kind === 'frame' && sha1(frame.bytes)).toBe(vector.reassembled?.body_sha1);
  });

  it('joins audio as well, and passthrough data apart from frames', () => {
    const data = { dataType: DataType.Passthrough };
    const packets = [audio(1, { subPackage: First }), audio(2, { subPackage: Last }), packet(3, Atomic, data)];
    expect(told(assemble(packets))).toEqual(['audio 1,2', 'passthrough 3']);
  });

  it('keeps channels and media apart', () => {
    const other = { channel: 2 };
    const packets = [packet(1, First), audio(2), packet(3, First, other), packet(4, Last), packet(5, Last, other)];
    expect(told(assemble(packets))).toEqual(['audio 2', 'video 1,4', 'video 3,5']);
  });

  it('takes the data type, time and codec of a frame from its first packet', () => {
    const [frame] = assemble([
      packet(1, First, { dataType: DataType.I, timestampMs: 7 }),
      packet(2, Last, { dataType: DataType.P, timestampMs: 8 }),
    ]);
    expect(frame).toMatchObject({ dataType: DataType.I, timestampMs: 7 });
  });

  it('says nothing of packets without content', () => {
    expect(assemble([packet(1, Atomic, { body: new Uint8Array(0) })])).toEqual([]);
  });
});

describe('loss', () => {
  it('drops the frame with a gap in it and marks the next', () => {
    const packets = [packet(1, First), packet(3, Middle), packet(4, Last), packet(5, Atomic), packet(6, Atomic)];
    expect(told(assemble(packets))).toEqual(['- gap', 'video 5!', 'video 6']);
  });

  it('marks the frame after a gap between frames', () => {
    expect(told(assemble([packet(1, Atomic), packet(3, Atomic), packet(4, Atomic)]))).toEqual([
      'video 1',
      'video 3!',
      'video 4',
    ]);
  });

  it('drops an open frame when another begins', () => {
    expect(told(assemble([packet(1, First), packet(2, First), packet(3, Last)]))).toEqual([
      '- interrupted',
      'video 2,3!',
    ]);
    expect(told(assemble([packet(1, First), packet(2, Atomic)]))).toEqual(['- interrupted', 'video 2!']);
  });

  it('tells a frame without a beginning once, and skips it', () => {
    const packets = [packet(1, Middle), packet(2, Middle), packet(3, Last), packet(4, Atomic)];
    expect(told(assemble(packets))).toEqual(['- interrupted', 'video 4!']);
  });

  it('waits for the next I frame when one was lost', () => {
    const key = { dataType: DataType.I };
    const packets = [
      packet(1, First, key),
      packet(3, Last, key),
      packet(4, Atomic),
      packet(5, Atomic, key),
      packet(6, Atomic),
    ];
    expect(told(assemble(packets))).toEqual(['- gap', '- key-missing', 'video 5!', 'video 6']);
  });

  it('waits for an I frame when the beginning of one was lost', () => {
    const key = { dataType: DataType.I };
    const packets = [packet(1, Atomic, key), packet(3, Last, key), packet(4, Atomic), packet(5, Atomic, key)];
    expect(told(assemble(packets))).toEqual(['video 1', '- interrupted', '- key-missing', 'video 5!']);
  });
});

describe('packet counts', () => {
  it('may run through all media', () => {
    expect(told(assemble([packet(1, First), audio(2), packet(3, Middle), audio(4), packet(5, Last)]))).toEqual([
      'audio 2',
      'audio 4',
      'video 1,3,5',
    ]);
  });

  it('may run for each medium alone', () => {
    expect(told(assemble([packet(100, First), audio(1), packet(101, Middle), audio(2), packet(102, Last)]))).toEqual([
      'audio 1',
      'audio 2',
      'video 100,101,102',
    ]);
  });

  it('may run through the media of a channel', () => {
    const other = { channel: 2 };
    const packets = [
      packet(1, Atomic),
      packet(51, Atomic, other),
      audio(2),
      audio(52, other),
      packet(3, First),
      packet(53, Atomic, other),
      audio(4),
      packet(5, Last),
    ];
    expect(told(assemble(packets)).filter((each) => each.includes('!') || each.startsWith('-'))).toEqual([]);
  });

  it('may stand still', () => {
    expect(told(assemble([packet(0, First), packet(0, Middle), packet(0, Last), packet(0, Atomic)]))).toEqual([
      'video 0,0,0',
      'video 0',
    ]);
  });

  it('wrap', () => {
    expect(told(assemble([packet(65_535, First), packet(0, Last)]))).toEqual(['video 255,0']);
  });

  it.each([
    ['that begins anew', [499, 500, 0, 1], [1]],
    ['that falls back by less', [100, 101, 60, 61], [1]],
    ['with a long gap', [100, 101, 30_101, 30_102], [29_999]],
    ['that wraps in a gap', [65_530, 3, 4], [8]],
  ])('say how much is missing: one %s', (_what, numbers, missing) => {
    const packets = numbers.map((number, at) => packet(number, Atomic, { timestampMs: 1_000 + at * 40 }));
    const events = assemble(packets).filter((event) => event.kind === 'missing');
    expect(events.map(({ packets: count }) => count)).toEqual(missing);
  });

  it('that are shared cost every frame under way when a packet is missing, whoever sees the gap', () => {
    const packets = [packet(1, Atomic), audio(2), packet(3, First), audio(5), packet(6, Last), packet(7, Atomic)];
    expect(told(assemble(packets))).toEqual(['video 1', 'audio 2', 'audio 5!', '- gap', 'video 7!']);
  });

  it('of separate media cost no other medium a frame', () => {
    const packets = [packet(100, Atomic), audio(1), packet(101, First), audio(3), packet(102, Last)];
    expect(told(assemble(packets))).toEqual(['video 100', 'audio 1', 'audio 3!', 'video 101,102']);
  });
});

describe('limits', () => {
  const large = (sequence: number, subPackage: SubPackage, changes: Partial<MediaPacket> = {}): MediaPacket =>
    packet(sequence, subPackage, { body: new Uint8Array(60_000), ...changes });

  it('drops a frame that never ends', () => {
    const assembler = new FrameAssembler({ maxFrameBytes: 200_000 });
    const packets = [
      large(1, First),
      large(2, Middle),
      large(3, Middle),
      large(4, Middle),
      large(5, Middle),
      packet(6, Last),
    ];
    expect(told(assemble([...packets, packet(7, Atomic)], assembler))).toEqual(['- size', 'video 7!']);
  });

  it('bounds the frames under way together', () => {
    const assembler = new FrameAssembler({ maxOpenBytes: 150_000 });
    const events = [1, 2, 3].map((channel) => large(channel, First, { channel }));
    expect(told(assemble(events, assembler))).toEqual(['- size']);
    // The room of the two others is free again once they are done.
    expect(told(assemble([large(4, Last, { channel: 1, body: new Uint8Array(1) })], assembler))).toHaveLength(1);
    expect(told(assemble([large(5, First, { channel: 3 })], assembler))).toEqual([]);
  });

  it('counts a chunk once, however many of its frames are held', () => {
    const chunk = new Uint8Array(64 * 1024);
    const ofChunk = (sequence: number): MediaPacket =>
      packet(sequence, Atomic, { timestampMs: 1_000 + 40 * sequence, body: chunk.subarray(sequence, sequence + 1) });
    const holding = (maxOpenBytes: number): string[] => {
      const assembler = new FrameAssembler({ maxOpenBytes });
      // Sound every 40 ms, then a gap inside a picture: the frames after it are held until sound shows whose packet is missing.
      for (let at = 0; at < 20; at += 2)
        assemble([ofChunk(at), audio(at + 1, { timestampMs: 1_000 + 40 * at })], assembler);
      const cut = [packet(20, First, { timestampMs: 1_800 }), packet(22, Last, { timestampMs: 1_800 })];
      return told(assemble([...cut, ...[23, 24, 25, 26].map(ofChunk)], assembler));
    };
    expect(holding(2 * chunk.length)).toEqual([]);
    expect(holding(chunk.length)).toContain('- gap');
  });
});
