import { describe, expect, it } from 'vitest';
import { packagedClip } from '../../../../../server/http/events/package/packagedClip.ts';
import { Codec } from '../../../../../shared/protocol/stream/streamPacket.ts';

const START = Date.UTC(2026, 2, 1, 14);
const plan = { track: { archiveId: 'BUS1', channel: 2 }, startMs: START, sound: undefined };

function soundOf(codec: number) {
  const format = { sampleRate: 8_000, channels: 1 };
  return packagedClip({ ...plan, sound: { codec, bytes: new Uint8Array(), format } }).sound;
}

describe('a clip of a package', () => {
  it('is named as its file, and has no sound where none was recorded', () => {
    expect(packagedClip(plan)).toEqual({ name: 'video/BUS1_ch2_20260301T140000Z.mp4', channel: 2, sound: null });
  });

  it('says whether its sound is what was recorded or was encoded from it', () => {
    expect(soundOf(Codec.Aac)).toEqual({ recorded: 'AAC', stored: 'AAC', encoded: false });
    expect(soundOf(Codec.G711U)).toEqual({ recorded: 'G.711 µ-law', stored: 'AAC', encoded: true });
    expect(soundOf(Codec.ImaAdpcm)).toEqual({ recorded: 'IMA ADPCM', stored: 'AAC', encoded: true });
    expect(soundOf(99)).toEqual({ recorded: 'unknown', stored: 'AAC', encoded: true });
  });
});
