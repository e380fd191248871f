import { describe, expect, it } from 'vitest';
import type { RemoteFeed } from '../../../../../server/device/playback/remoteSource.ts';
import { RemoteSeek } from '../../../../../server/stream/remote/remoteSeek.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';
import { noFaults } from '../../../../support/fakes/noFaults.ts';

const START = Date.UTC(2026, 10, 20, 14);
const at = (seconds: number) => wallMs(START + seconds * 1_000);
const keyAt = (seconds: number) => ({
  isKey: true,
  isDiscontinuous: true,
  isElsewhere: false,
  isDated: true,
  position: at(seconds),
});

function setUp({ isPaused = false } = {}) {
  const timers = new ManualTimers();
  const told: string[] = [];
  const answers: ((hasObeyed: boolean) => void)[] = [];
  const playback = { isPaused, refusals: 0 };
  const say = (order: string): Promise<boolean> => {
    told.push(order);
    return new Promise((resolve) => answers.push(resolve));
  };
  const feed: RemoteFeed = {
    recordedEnd: undefined,
    play: () => say('play'),
    pause: () => say('pause'),
    fastForward: () => say('fast-forward'),
    seek: (position) => say(`seek ${(position - START) / 1_000}`),
    hold: () => undefined,
    close: () => undefined,
  };
  const seek = new RemoteSeek({
    now: timers.now,
    runAfter: timers.runAfter,
    isPaused: () => playback.isPaused,
    refused: () => playback.refusals++,
    onFault: noFaults,
  });
  const answer = async (hasObeyed = true) => {
    answers.shift()?.(hasObeyed);
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  };
  return { timers, told, playback, seek, answer, to: (seconds: number) => void seek.to(at(seconds), feed) };
}

describe('taking a terminal elsewhere in its recording', () => {
  it('tells it one place at a time, and of those that wait the newest', async () => {
    const { told, seek, answer, to } = setUp();
    for (const seconds of [10, 20, 30.5]) to(seconds);
    expect(told).toEqual(['seek 10']);
    await answer();
    // Whole seconds.
    expect(told).toEqual(['seek 10', 'seek 30']);
    // What the first order brings is none of the second place.
    expect(seek.admits(keyAt(9))).toBeUndefined();
    expect(seek.admits(keyAt(29))).toBe(at(30.5));
    await answer();
    expect(seek.isUnderway).toBe(false);
    expect(told.length).toBe(2);
  });

  it('lets a paused terminal go on for the picture there, and no longer', async () => {
    const { told, seek, answer, to } = setUp({ isPaused: true });
    to(10);
    await answer();
    expect(told).toEqual(['seek 10', 'play']);
    await answer();
    expect(seek.admits(keyAt(8))).toBe(at(10));
    seek.shown(at(8));
    expect(told.length).toBe(2);
    seek.shown(at(10));
    expect(told).toEqual(['seek 10', 'play', 'pause']);
    seek.shown(at(10));
    expect(told.length).toBe(3);
  });

  it('stops a paused terminal that sends no picture there', async () => {
    const { timers, told, answer, to } = setUp({ isPaused: true });
    to(10);
    await answer();
    await answer();
    timers.advance(9_999);
    expect(told.at(-1)).toBe('play');
    timers.advance(1);
    expect(told.at(-1)).toBe('pause');
  });

  it('does not stop it when the viewer plays on meanwhile', async () => {
    const { timers, told, playback, seek, answer, to } = setUp({ isPaused: true });
    to(10);
    await answer();
    playback.isPaused = false;
    seek.resumed();
    await answer();
    seek.shown(at(10));
    timers.advance(60_000);
    expect(told).toEqual(['seek 10', 'play']);
    expect(timers.pending).toBe(0);
  });

  it('leaves one that refuses where it is, paused as it was', async () => {
    const { told, playback, seek, answer, to } = setUp({ isPaused: true });
    to(10);
    await answer(false);
    expect(playback.refusals).toBe(1);
    expect(seek.isUnderway).toBe(false);
    expect(told).toEqual(['seek 10', 'pause']);
  });
});
