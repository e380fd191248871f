import { describe, expect, it } from 'vitest';
import type { StreamReport } from '../../../../../shared/player/engine/engine.ts';
import {
  connectedFacts,
  isSameState,
  notedFacts,
  reconnectedFacts,
  retryDelayMs,
  shouldReconnect,
  type TileFacts,
  tileStateOf,
} from '../../../../../shared/player/tile/tileState.ts';

/** The facts after reports at their moments; the stream was opened at 0. */
function factsAfter(...reports: readonly (readonly [atMs: number, report: StreamReport])[]): TileFacts {
  return reports.reduce((facts, [atMs, report]) => notedFacts(facts, report, atMs), connectedFacts(0));
}

const data: StreamReport = { type: 'data', ageMs: 0 };
const shown: StreamReport = { type: 'shown', ageMs: 0 };
const closed: StreamReport = { type: 'closed', code: 1006 };
const refused: StreamReport = { type: 'event', event: { type: 'error', code: 'link-refused', message: 'no' } };
const kindAt = (facts: TileFacts, nowMs: number) => tileStateOf(facts, nowMs).kind;

describe('tileStateOf', () => {
  it('S-4.11: is connecting until the first picture, however much data comes', () => {
    expect(kindAt(connectedFacts(0), 60_000)).toBe('connecting');
    expect(kindAt(factsAfter([100, data]), 200)).toBe('connecting');
  });

  it('S-9.5: is playing for five seconds from each picture, then stalled', () => {
    const facts = factsAfter([1_000, shown]);
    expect(kindAt(facts, 5_999)).toBe('playing');
    expect(kindAt(facts, 6_000)).toBe('stalled');
    expect(kindAt(notedFacts(facts, shown, 8_000), 8_000)).toBe('playing');
  });

  it('counts from when the picture was shown, not from when it was reported', () => {
    expect(kindAt(factsAfter([1_200, { type: 'shown', ageMs: 200 }]), 6_000)).toBe('stalled');
  });

  it('shows no spinner in a gap or paused', () => {
    const gap = factsAfter([0, shown], [10, { type: 'quiet', event: { type: 'gap', untilMs: 90_000 } }]);
    expect(tileStateOf(gap, 60_000)).toEqual({ kind: 'gap', untilMs: 90_000 });
    expect(kindAt(notedFacts(gap, shown, 90_000), 90_001)).toBe('playing');
    const clock = { type: 'clock', positionMs: 0, speed: 1, paused: true } as const;
    expect(kindAt(factsAfter([0, shown], [10, { type: 'event', event: clock }]), 60_000)).toBe('playing');
  });

  it('shows why the server refuses, until pictures come', () => {
    const facts = factsAfter([0, refused], [5, closed]);
    const failure = { reason: 'refused', code: 'link-refused', message: 'no' };
    expect(tileStateOf(facts, 10)).toEqual({ kind: 'failed', failure });
    expect(kindAt(notedFacts(facts, shown, 20), 20)).toBe('playing');
  });

  it('names a codec that cannot be decoded, and lets a decoding fault pass', () => {
    const fault = (kind: 'codec' | 'decode'): StreamReport => ({
      type: 'video-fault',
      fault: { kind, message: 'H.265' },
    });
    expect(tileStateOf(factsAfter([0, fault('codec')]), 1)).toEqual({
      kind: 'failed',
      failure: { reason: 'codec', message: 'H.265' },
    });
    expect(kindAt(factsAfter([0, shown], [1, fault('decode')]), 2)).toBe('playing');
  });

  it('is ended when the stream is', () => {
    expect(kindAt(factsAfter([0, shown], [1, { type: 'quiet', event: { type: 'ended' } }]), 60_000)).toBe('ended');
  });

  it('leaves a gap at a picture reported behind it, however late the page heard of either', () => {
    const gap: StreamReport = { type: 'quiet', event: { type: 'gap', untilMs: null } };
    const facts = factsAfter([0, shown], [1_000, gap]);
    expect(kindAt(facts, 1_150)).toBe('gap');
    expect(kindAt(notedFacts(facts, { type: 'shown', ageMs: 170 }, 1_150), 1_150)).toBe('playing');
  });

  it('leaves a gap that follows a final end', () => {
    const ended = {
      ...factsAfter([0, shown], [1_000, { type: 'quiet', event: { type: 'ended' } }]),
      isQuietFinal: true,
    };
    expect(kindAt(notedFacts(ended, shown, 1_100), 1_100)).toBe('ended');
    const gap = notedFacts(ended, { type: 'quiet', event: { type: 'gap', untilMs: null } }, 2_000);
    expect(kindAt(notedFacts(gap, shown, 3_000), 3_000)).toBe('playing');
  });

  it('goes on playing what was sent before a gap or the end until it has been shown', () => {
    const facts = factsAfter([0, shown], [1, { type: 'event', event: { type: 'ended' } }]);
    expect(kindAt(facts, 2)).toBe('playing');
  });

  it('stays paused while single pictures are shown', () => {
    const clock = { type: 'clock', positionMs: 0, speed: 1, paused: true } as const;
    expect(kindAt(factsAfter([0, { type: 'event', event: clock }], [10, shown]), 60_000)).toBe('playing');
  });
});

describe('shouldReconnect', () => {
  it('S-9.6: after more than ten seconds of silence', () => {
    const facts = factsAfter([20_000, data]);
    expect(shouldReconnect(facts, 30_000, 0)).toBe(false);
    expect(shouldReconnect(facts, 30_001, 0)).toBe(true);
  });

  it('S-9.6: not within fifteen seconds of the last attempt, the first one counted', () => {
    expect(shouldReconnect(connectedFacts(0), 14_999, 0)).toBe(false);
    expect(shouldReconnect(connectedFacts(0), 15_000, 0)).toBe(true);
    const again = reconnectedFacts(connectedFacts(0), 15_000);
    expect(shouldReconnect(again, 29_999, 0)).toBe(false);
    expect(shouldReconnect(again, 30_000, 0)).toBe(true);
  });

  it('tries a closed stream again from half a second on', () => {
    const facts = factsAfter([100, closed]);
    expect(shouldReconnect(facts, 599, 0)).toBe(false);
    expect(shouldReconnect(facts, 600, 0)).toBe(true);
    expect(shouldReconnect(facts, 849, 1)).toBe(false);
    expect(shouldReconnect(facts, 850, 1)).toBe(true);
  });

  it('starts at half a second again after a connection that had lasted', () => {
    const failing = [0, 1, 2, 3].reduce((facts) => notedFacts(facts, closed, 50), connectedFacts(0));
    expect(failing.failures).toBe(4);
    const lasted = notedFacts(notedFacts(reconnectedFacts(failing, 100), data, 9_000), closed, 20_000);
    expect(lasted.failures).toBe(1);
  });

  it('asks a server that refused no sooner than after fifteen seconds', () => {
    const facts = factsAfter([10, refused], [11, closed]);
    expect(shouldReconnect(facts, 14_999, 0)).toBe(false);
    expect(shouldReconnect(facts, 15_000, 0)).toBe(true);
  });

  it.each<[string, StreamReport]>([
    ['in a gap', { type: 'quiet', event: { type: 'gap', untilMs: null } }],
    ['after the end', { type: 'quiet', event: { type: 'ended' } }],
    ['with a stream of an unknown version', { type: 'stream-fault', kind: 'version' }],
    ['without workers', { type: 'broken', message: '' }],
  ])('does not mind silence %s', (_when, report) => {
    expect(shouldReconnect(factsAfter([0, data], [1, report]), 600_000, 0)).toBe(false);
  });
});

describe('retryDelayMs', () => {
  it('doubles from half a second to at most fifteen seconds', () => {
    expect([1, 2, 3, 4, 5, 6, 30].map((failures) => retryDelayMs(failures, 0))).toEqual([
      500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000,
    ]);
    expect(retryDelayMs(30, 1)).toBe(15_000);
  });
});

describe('isSameState', () => {
  it('tells refusals apart by what they say', () => {
    const refusal = (message: string) =>
      tileStateOf(factsAfter([0, { type: 'event', event: { type: 'error', code: 'x', message } }]), 0);
    expect(isSameState(refusal('a'), refusal('a'))).toBe(true);
    expect(isSameState(refusal('a'), refusal('b'))).toBe(false);
    expect(isSameState({ kind: 'playing' }, { kind: 'stalled' })).toBe(false);
  });
});
