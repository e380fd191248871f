import { describe, expect, it } from 'vitest';
import { eventOf, requestOf } from '../../../../../server/events/evidence/pictureMatch.ts';
import { anEventMedia } from '../../../../support/anEventMedia.ts';

const NOW_MS = 1_795_000_000_000;
const PICTURE = { terminalMediaId: 7, channel: 2, isCommanded: true, takenAtMs: NOW_MS };

describe('requestOf', () => {
  const request = (id: number, change: Parameters<typeof anEventMedia>[0] = {}) => ({
    id,
    ...anEventMedia({ state: 'requested', terminalMediaId: undefined, file: undefined, ...change }),
  });

  it.each([
    ['what the terminal named', [request(1), request(2, { terminalMediaId: 7 })], 2],
    [
      'the latest of that name: numbers are counted anew',
      [7, 7].map((terminalMediaId, id) => request(id, { terminalMediaId })),
      1,
    ],
    ['none of another channel that has its number', [request(1, { terminalMediaId: 7, channel: 3 })], undefined],
    [
      'what is waited for before what was given up',
      [request(1, { terminalMediaId: 7 }), request(2, { terminalMediaId: 7, state: 'failed' })],
      1,
    ],
    ['one that was given up', [request(1, { terminalMediaId: 7, state: 'failed' })], 1],
    ['the oldest of the channel', [request(1, { channel: 3 }), request(2), request(3)], 2],
    ['none that was given up of the channel', [request(1, { state: 'failed' })], undefined],
    ['none of the channel that has another name', [request(1, { terminalMediaId: 8 })], undefined],
    ['none that has its picture', [request(1, { terminalMediaId: 7, state: 'stored' })], undefined],
  ])('gives %s', (_what, rows, expected) => {
    expect(requestOf(rows, PICTURE)?.id).toBe(expected);
  });

  it('gives none for a picture that nobody asked for, whatever its number: the terminal may count anew', () => {
    const unasked = { ...PICTURE, isCommanded: false };
    expect(requestOf([request(1)], unasked)).toBeUndefined();
    expect(requestOf([request(1, { terminalMediaId: 7 })], unasked)).toBeUndefined();
  });
});

describe('eventOf', () => {
  const event = (eventId: number, offsetMs: number, unit = 0) => ({
    eventId,
    eventBeginAtMs: NOW_MS,
    type: 'speeding',
    unit,
    deviceTimeMs: NOW_MS + offsetMs,
  });
  const clipOf = () => ({ beforeS: 10, afterS: 20 });

  it.each([
    ['the nearest', [event(1, -9_000), event(2, 4_000)], 2],
    ['one of its channel before a nearer', [event(1, -9_000, 2), event(2, 4_000)], 1],
    ['one whose clip begins with it', [event(1, 10_000)], 1],
    ['one whose clip ends with it', [event(1, -20_000)], 1],
    ['none whose clip begins later', [event(1, 10_001)], undefined],
    ['none whose clip is over', [event(1, -20_001)], undefined],
  ])('gives %s', (_what, events, expected) => {
    expect(eventOf(events, PICTURE, clipOf)?.eventId).toBe(expected);
  });
});
