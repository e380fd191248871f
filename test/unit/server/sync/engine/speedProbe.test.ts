import { beforeEach, describe, expect, it } from 'vitest';
import { createHubPacket, type HubPacket } from '../../../../../server/media/hubPacket.ts';
import {
  MAX_HELD_BYTES,
  MAX_HELD_PACKETS,
  MAX_PROBED_BYTES,
  type ProbeVerdict,
  SpeedProbe,
} from '../../../../../server/sync/engine/attempts/speedProbe.ts';
import { Codec, PacketKind } from '../../../../../shared/protocol/stream/streamPacket.ts';
import { mediaUs, wallMs } from '../../../../../shared/protocol/time.ts';

const PACKET_BYTES = MAX_HELD_BYTES / 16;
const times = { mediaTimeUs: mediaUs(0), deviceTimeMs: wallMs(0) };
const header = { kind: PacketKind.Video, codec: Codec.H264, discontinuity: false, ...times } as const;
const overhead = createHubPacket({ ...header, key: true }, new Uint8Array(0)).bytes.byteLength;

function picture(key: boolean, bytes: number): HubPacket {
  return createHubPacket({ ...header, key }, new Uint8Array(bytes - overhead));
}

describe('whether a device leaves pictures out when it plays fast (S-2.4.8)', () => {
  let probe: SpeedProbe;
  beforeEach(() => {
    probe = new SpeedProbe();
  });

  /** The last verdict of so many pictures, and how many it took to get one. */
  function add(count: number, bytes: number, isKey: (at: number) => boolean): [ProbeVerdict, number] {
    for (let at = 0; at < count; at++) {
      const verdict = probe.add(picture(isKey(at), bytes));
      if (verdict !== 'unknown') return [verdict, at + 1];
    }
    return ['unknown', count];
  }

  it('waits for the answer with so many bytes, or with so many packets where they are small', () => {
    expect(add(100, PACKET_BYTES, () => false)).toEqual(['full', 16]);
    probe = new SpeedProbe();
    expect(add(3_000, 100, () => false)).toEqual(['full', MAX_HELD_PACKETS]);
  });

  it('is told after the answer, however much was held before it', () => {
    add(100, PACKET_BYTES, () => false);
    probe.faster();
    expect(add(100, PACKET_BYTES, (at) => at % 4 === 0)).toEqual(['complete', 13]);
    probe = new SpeedProbe();
    add(100, PACKET_BYTES, () => false);
    probe.faster();
    expect(add(100, PACKET_BYTES, () => true)).toEqual(['key-frames-alone', 4]);
  });

  it('is taken for no where the bytes are used up within one group', () => {
    add(100, PACKET_BYTES, () => false);
    probe.faster();
    const left = (MAX_PROBED_BYTES - MAX_HELD_BYTES) / PACKET_BYTES;
    expect(add(100, PACKET_BYTES, (at) => at === 0)).toEqual(['complete', left]);
  });

  it('has more bytes to be told by where the device answers at once', () => {
    probe.faster();
    expect(add(1_000, PACKET_BYTES, () => false)).toEqual(['complete', MAX_PROBED_BYTES / PACKET_BYTES]);
  });

  it('is told by fewer key frames where they are so large that four use up more than the bytes', () => {
    add(100, PACKET_BYTES, () => false);
    probe.faster();
    expect(add(4, MAX_HELD_BYTES, () => true)).toEqual(['key-frames-alone', 2]);
  });

  it('is not told by a key frame that happens to be the last of the bytes', () => {
    add(100, PACKET_BYTES, () => false);
    probe.faster();
    const left = (MAX_PROBED_BYTES - MAX_HELD_BYTES) / PACKET_BYTES;
    expect(add(100, PACKET_BYTES, (at) => at === left - 1)).toEqual(['complete', left]);
  });
});
