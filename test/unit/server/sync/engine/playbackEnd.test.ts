import { describe, expect, it } from 'vitest';
import { PlaybackEnd } from '../../../../../server/sync/engine/attempts/playbackEnd.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';
import { FROM_MS, TO_MS } from '../../../../support/sync/anAttempt.ts';

const ASKED = { deviceFromMs: wallMs(FROM_MS), deviceToMs: wallMs(TO_MS) };
const dated = (deviceTimeMs: number) => ({ mediaTimeUs: 0, deviceTimeMs });
const undated = (mediaMs: number) => ({ mediaTimeUs: mediaMs * 1_000, deviceTimeMs: 0 });

describe('the end of a playback that goes on', () => {
  it('is behind what was asked for, by more than clocks leave over', () => {
    const end = new PlaybackEnd(ASKED);
    const times = [FROM_MS - 2_000, FROM_MS, TO_MS, TO_MS + 5_000, TO_MS + 5_001];
    expect(times.map((atMs) => end.isBehind(dated(atMs)))).toEqual([false, false, false, false, true]);
  });

  it('is told by the media times where pictures have no dates, or those of another clock', () => {
    const end = new PlaybackEnd(ASKED);
    const lengthMs = TO_MS - FROM_MS;
    const times = [7_000, 7_000 + lengthMs, 7_000 + lengthMs + 5_001];
    expect(times.map((mediaMs) => end.isBehind(undated(mediaMs)))).toEqual([false, false, true]);
    const elsewhere = new PlaybackEnd(ASKED);
    expect(elsewhere.isBehind(dated(TO_MS + 8 * 3_600_000))).toBe(false);
  });

  it('is where it begins anew, at the end of what was asked for or of what is recorded', () => {
    const end = new PlaybackEnd(ASKED);
    expect([TO_MS - 20_000, TO_MS - 2_000, FROM_MS].map((atMs) => end.isBehind(dated(atMs)))).toEqual([
      false,
      false,
      true,
    ]);
    const short = new PlaybackEnd(ASKED);
    const recordedEndMs = FROM_MS + 60_000;
    expect([FROM_MS, FROM_MS + 59_000, FROM_MS].map((atMs) => short.isBehind(dated(atMs), recordedEndMs))).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('is not where a clock was set back on the way', () => {
    const end = new PlaybackEnd(ASKED);
    expect([FROM_MS, FROM_MS + 300_000, FROM_MS].map((atMs) => end.isBehind(dated(atMs)))).not.toContain(true);
  });
});
