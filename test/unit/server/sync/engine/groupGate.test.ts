import { beforeEach, describe, expect, it } from 'vitest';
import { createHubPacket, type HubPacket } from '../../../../../server/media/hubPacket.ts';
import { GroupGate, MAX_HELD_BYTES } from '../../../../../server/sync/engine/attempts/groupGate.ts';
import { Codec, PacketKind } from '../../../../../shared/protocol/stream/streamPacket.ts';
import { mediaUs, wallMs } from '../../../../../shared/protocol/time.ts';

const times = { mediaTimeUs: mediaUs(0), deviceTimeMs: wallMs(0) };

/** `K` a key frame, `p` another picture, `s` sound. */
function packetOf(letter: string, bytes = 10): HubPacket {
  const isVideo = letter !== 's';
  const kind = isVideo ? PacketKind.Video : PacketKind.Audio;
  const codec = isVideo ? Codec.H264 : Codec.G711A;
  const header = { kind, codec, key: letter === 'K', discontinuity: false, ...times };
  return createHubPacket(header, new Uint8Array(bytes));
}

describe('what is kept of a playback that may be too fast (S-2.4.8)', () => {
  let gate: GroupGate;
  beforeEach(() => {
    gate = new GroupGate();
  });

  /** What is let through with each packet, by letter and place. */
  function run(letters: string, bytes?: number): string[] {
    const packets = [...letters].map((letter) => packetOf(letter, bytes));
    return packets.map((packet) => {
      const kept = gate.add(packet);
      return kept === 'key-frames-alone' ? kept : kept.map((each) => `${letters[packets.indexOf(each)]}`).join('');
    });
  }

  it('is a key frame with the picture that follows it, and all between them', () => {
    expect(run('pKspsKp')).toEqual(['p', '', '', 'Ksp', 's', '', 'Kp']);
    expect(gate.isHolding).toBe(false);
  });

  it('is some key frames in succession, of an encoder that sends them when the scene changes', () => {
    expect(run('KKKp')).toEqual(['', '', '', 'KKKp']);
  });

  it('is no key frame that comes alone, whatever came before and with whatever sound', () => {
    expect(run('KppKsKsKsK')).toEqual(['', 'Kp', 'p', '', '', '', '', '', '', 'key-frames-alone']);
    expect(gate.isHolding).toBe(true);
  });

  it('is told by two key frames where they are too large to wait for more', () => {
    expect(run('KK', MAX_HELD_BYTES)).toEqual(['', 'key-frames-alone']);
  });

  it('is a single picture with a lot of sound', () => {
    const bytes = MAX_HELD_BYTES / 4;
    expect(run('Ksss', bytes)).toEqual(['', '', '', 'Ksss']);
    expect(run('ss', bytes)).toEqual(['s', 's']);
  });

  it('is all that was held where the device plays no faster', () => {
    run('KK');
    expect([gate.release().length, gate.isHolding]).toEqual([2, false]);
  });
});
