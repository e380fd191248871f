import { describe, expect, it } from 'vitest';
import { mediaUs } from '../../../../shared/protocol/time.ts';
import { SoundDelay } from '../../../../workers/audio/soundDelay.ts';

const NOW_MS = 1_700_000_000_000;

/** Frames of 40 ms, each so late. */
function hear(sound: SoundDelay, latenessMs: (frame: number) => number, { from = 0, byMs = 0 } = {}): void {
  for (let frame = from; frame < from + 100; frame++) {
    sound.arrived(mediaUs((frame * 40 + byMs) * 1_000), NOW_MS + frame * 40 + latenessMs(frame));
  }
}

describe('the delay of sound', () => {
  it('is that of the pictures for the network where none are reordered', () => {
    const sound = new SoundDelay();
    expect(sound.delayMs({ delayMs: 60 })).toBe(60);
    hear(sound, () => 5);
    expect(sound.delayMs({ delayMs: 0 })).toBe(0);
    expect(sound.delayMs({ delayMs: 60 })).toBe(60);
  });

  it('lasts until the moment of the sound is shown where pictures are reordered', () => {
    const sound = new SoundDelay();
    hear(sound, (frame) => 5 + (frame % 3) * 10);
    expect(sound.delayMs({ delayMs: 0, showingOffsetMs: NOW_MS + 125 })).toBe(120);
    expect(sound.delayMs({ delayMs: 30, showingOffsetMs: NOW_MS + 155 })).toBe(150);
  });

  it('is never less than the network asks for', () => {
    const sound = new SoundDelay();
    hear(sound, () => 90);
    expect(sound.delayMs({ delayMs: 30, showingOffsetMs: NOW_MS + 60 })).toBe(30);
  });

  it('does not compare times from before a jump of the clock with those behind it', () => {
    const sound = new SoundDelay();
    hear(sound, () => 5);
    const before = NOW_MS + 125;
    hear(sound, () => 5, { from: 100, byMs: -3_600_000 });
    expect(sound.delayMs({ delayMs: 20, showingOffsetMs: before })).toBe(20);
    expect(sound.delayMs({ delayMs: 20, showingOffsetMs: before + 3_600_000 })).toBe(120);
    hear(sound, () => 5, { from: 200, byMs: 3_600_000 });
    expect(sound.delayMs({ delayMs: 20, showingOffsetMs: before + 3_600_000 })).toBe(20);
  });
});
