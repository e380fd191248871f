import { describe, expect, it } from 'vitest';
import { mediaUs } from '../../../../shared/protocol/time.ts';
import { SoundDelay } from '../../../../workers/audio/soundDelay.ts';

const NOW_MS = 1_700_000_000_000;

/** Frames of 40 ms, each so late. */
function hear(
  sound: SoundDelay,
  latenessMs: (frame: number) => number,
  { from = 0, byMs = 0, frames = 100 } = {},
): void {
  for (let frame = from; frame < from + frames; frame++) {
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

  it.each([250, 400, 900])('follows a clock that is set back by %d ms', (backMs) => {
    const sound = new SoundDelay();
    hear(sound, () => 5);
    hear(sound, () => 5, { from: 100, byMs: -backMs, frames: 15 });
    // The pictures begin anew at once. A step too small to tell from a late frame is put up with until its stretch is over.
    const waitMs = sound.delayMs({ delayMs: 0, showingOffsetMs: NOW_MS + 125 + backMs });
    expect(waitMs).toBe(backMs < 300 ? 120 + backMs : 120);
    hear(sound, () => 5, { from: 115, byMs: -backMs, frames: 300 });
    expect(sound.delayMs({ delayMs: 0, showingOffsetMs: NOW_MS + 125 + backMs })).toBe(120);
  });

  it('follows a clock that is set back at the frame that says so', () => {
    const sound = new SoundDelay();
    hear(sound, () => 5);
    sound.arrived(mediaUs((100 * 40 - 1_200) * 1_000), NOW_MS + 100 * 40 + 5, true);
    expect(sound.delayMs({ delayMs: 0, showingOffsetMs: NOW_MS + 125 + 1_200 })).toBe(120);
  });

  it('is not moved by frames that a network held up, nor by what is missing between others', () => {
    const sound = new SoundDelay();
    hear(sound, () => 5);
    // A hole of a second, and all of it in a heap.
    for (let frame = 100; frame < 125; frame++) sound.arrived(mediaUs(frame * 40_000), NOW_MS + 125 * 40 + (frame % 5));
    expect(sound.delayMs({ delayMs: 0, showingOffsetMs: NOW_MS + 125 })).toBe(120);
    sound.arrived(mediaUs(126 * 40_000), NOW_MS + 126 * 40 + 65, true);
    expect(sound.delayMs({ delayMs: 0, showingOffsetMs: NOW_MS + 125 })).toBe(120);
  });
});
