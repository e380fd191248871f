import { describe, expect, it } from 'vitest';
import { encodeALaw } from '../../../server/device/audio/g711.ts';
import { frameAt, LOOP_FRAMES } from '../../../simulator/clip/clipFormat.ts';
import { decodeStrip, encodeStrip } from '../../../simulator/clip/frameStrip.ts';
import { loadClip } from '../../../simulator/clip/loadClip.ts';
import { toneChunk } from '../../../simulator/clip/tone.ts';
import { routeAt } from '../../../simulator/route.ts';

describe('the demo clip', () => {
  it('is a minute of frames with a key frame every two seconds, in at most 1.5 MB', async () => {
    const { frames } = await loadClip(new URL('../../../simulator/clips/road.h264', import.meta.url));
    expect(frames).toHaveLength(LOOP_FRAMES);
    expect(frames.reduce((total, { bytes }) => total + bytes.length, 0)).toBeLessThan(1_500_000);
  });

  it('has one frame for every moment, the same in every minute', () => {
    expect(frameAt(Date.UTC(2026, 0, 1))).toBe(0);
    expect(frameAt(Date.UTC(2026, 0, 1, 5, 7, 13) + 320)).toBe(13 * 25 + 8);
    expect(frameAt(Date.UTC(2026, 0, 1) - 1)).toBe(LOOP_FRAMES - 1);
  });
});

describe('the strip', () => {
  it.each([0, 1, 1499, 65535])('carries frame %i', (frame) => {
    expect(decodeStrip(encodeStrip({ frame, channel: 7 }))).toEqual({ frame, channel: 7 });
  });

  it('is not found in a picture without one', () => {
    expect(decodeStrip(Array<boolean>(24).fill(false))).toBeUndefined();
    expect(decodeStrip([])).toBeUndefined();
  });
});

describe('encodeALaw', () => {
  // The published tables' outermost and innermost codes.
  it.each([
    [8, 0xd5],
    [32_256, 0xaa],
    [-8, 0x55],
    [-32_256, 0x2a],
    [32_767, 0xaa],
    [-32_768, 0x2a],
  ])('writes %i as %i', (sample, code) => {
    expect(encodeALaw(sample)).toBe(code);
  });

  it('makes a pip on the full second and a hum after it', () => {
    const loudness = (chunk: Uint8Array): number => Math.max(...Array.from(chunk, (code) => (code ^ 0x55) & 0x7f));
    expect(loudness(toneChunk(5_000))).toBeGreaterThan(loudness(toneChunk(5_500)) + 20);
  });
});

describe('routeAt', () => {
  it('goes round without a jump and heads where it goes', () => {
    const before = routeAt(0, 0);
    const after = routeAt(1_000, 0);
    const metresNorth = (after.latitude - before.latitude) * 111_320;
    const metresEast = (after.longitude - before.longitude) * 111_320 * Math.cos((before.latitude * Math.PI) / 180);
    expect(Math.hypot(metresNorth, metresEast) * 3.6).toBeCloseTo(before.speedKmh, 0);
    const heading = (Math.atan2(metresEast, metresNorth) * 180) / Math.PI;
    expect(Math.abs(((heading - before.headingDegrees + 540) % 360) - 180)).toBeLessThan(2);
  });

  it('sets vehicles apart', () => {
    expect(routeAt(0, 0).latitude).not.toBeCloseTo(routeAt(0, 0.5).latitude, 3);
  });
});
