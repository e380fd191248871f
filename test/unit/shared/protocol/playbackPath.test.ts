import { afterEach, describe, expect, test } from 'vitest';
import {
  parseDuration,
  parseLocalPlaybackPath,
  parseRemotePlaybackPath,
  randomStreamId,
  streamIdOf,
} from '../../../../shared/protocol/playbackPath.ts';
import { parsePlaybackTime } from '../../../../shared/protocol/playbackTime.ts';

/** 2026-11-20T14:03:05Z */
const MOMENT = 1_795_183_385;
const MIDNIGHT = Date.UTC(2026, 10, 20) / 1000;

const zoneBefore = process.env.TZ;
afterEach(() => {
  if (zoneBefore === undefined) delete process.env.TZ;
  else process.env.TZ = zoneBefore;
});

describe('the date-time of a link', () => {
  test.each([
    ['2026-11-20T14:03:05Z', MOMENT],
    ['2026-11-20t14:03:05z', MOMENT],
    ['2026-11-20T14:03:05.999Z', MOMENT],
    ['2026-11-20T14:03:05,5Z', MOMENT],
    ['2026-11-20 14:03:05Z', MOMENT],
    ['2026-11-20T16:03:05+02:00', MOMENT],
    ['2026-11-20T16:03:05+0200', MOMENT],
    ['2026-11-20T16:03:05+02', MOMENT],
    ['2026-11-20T10:33:05-03:30', MOMENT],
    ['2026-11-21T00:03:05+10:00', MOMENT],
    ['2026-11-20T14:03Z', MOMENT - 5],
    ['2026-11-20T14Z', MOMENT - 185],
    ['2026-11-20T24:00:00Z', MIDNIGHT + 86_400],
    ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29) / 1000],
    [String(MOMENT), MOMENT],
    ['1', 1],
  ])('%s is %d whatever the zone of the browser', (text, seconds) => {
    for (const zone of ['UTC', 'Asia/Tokyo', 'America/St_Johns']) {
      process.env.TZ = zone;
      expect(parsePlaybackTime(text), zone).toBe(seconds);
    }
  });

  test.each([
    ['UTC', '2026-11-20 14:03:05', MOMENT],
    ['Asia/Taipei', '2026-11-20 22:03:05', MOMENT],
    ['Asia/Taipei', '2026-11-20T22:03:05', MOMENT],
    ['America/New_York', '2026-11-20T09:03:05.25', MOMENT],
    ['UTC', '2026-11-20', MIDNIGHT],
    ['Asia/Taipei', '2026-11-20', MIDNIGHT - 8 * 3600],
    ['America/New_York', '2026-11-20', MIDNIGHT + 5 * 3600],
    // Summer time: the zone's rule of that day counts, not today's.
    ['Europe/Berlin', '2026-07-01 12:00:00', Date.UTC(2026, 6, 1, 10) / 1000],
    ['Europe/Berlin', '2026-12-01 12:00:00', Date.UTC(2026, 11, 1, 11) / 1000],
    // 02:30 does not exist on that day; an hour later does.
    ['Europe/Berlin', '2026-03-29 02:30:00', Date.UTC(2026, 2, 29, 1, 30) / 1000],
  ])('in %s, %s without a zone is %d', (zone, text, seconds) => {
    process.env.TZ = zone;
    expect(parsePlaybackTime(text)).toBe(seconds);
  });

  test.each([
    '',
    '0',
    '000',
    'notadate',
    '-5',
    '1e9',
    '1795183385.5',
    '2026-02-30T00:00:00Z',
    '2025-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-11-00',
    '2026-11-20T24:00:01Z',
    '2026-11-20T25:00:00Z',
    '2026-11-20T14:60:00Z',
    '2026-11-20T14:03:60Z',
    '2026-11-20T14:03:05+24:00',
    '2026-11-20T14:03:05+02:60',
    '2026-11-20T14:03:05 MEZ',
    '2026-11-20Z',
    '20/11/2026',
    '2026-1-2',
    '0050-01-01',
    '1969-12-31T23:59:59Z',
    '1970-01-01T00:00:00Z',
    '253402300800',
    '9'.repeat(400),
    '２０２６-11-20',
  ])('%s is none', (text) => {
    process.env.TZ = 'UTC';
    expect(parsePlaybackTime(text)).toBeUndefined();
  });
});

describe('the path of a playback link', () => {
  test('names device, time, user and credential, each decoded (S-2.6.1, S-2.7.1)', () => {
    const path = 'A%2FB%3D1@4/90/2026-11-20T16%3A03%3A05+02%3A00/%C3%BC%20%2B/c%25d';
    const link = { device: 'A/B=1@4', start: MOMENT, username: 'ü +', credential: 'c%d' };
    expect(parseRemotePlaybackPath(path)).toEqual({ ...link, durationSeconds: 90 });
    expect(parseLocalPlaybackPath(path)).toEqual({ ...link, streamId: '90' });
  });

  test('may end in one slash, and has five parts, empty ones counted', () => {
    expect(parseRemotePlaybackPath(`D/60/${MOMENT}/u/c/`)?.credential).toBe('c');
    expect(parseRemotePlaybackPath(`D//${MOMENT}/u/`)).toBeUndefined();
    expect(parseRemotePlaybackPath(`D//${MOMENT}//c`)).toEqual({
      device: 'D',
      durationSeconds: 60,
      start: MOMENT,
      username: '',
      credential: 'c',
    });
    for (const path of ['', 'D', `D/60/${MOMENT}/u`, `D/60/${MOMENT}/u/c/x`, `D/60/${MOMENT}/u/c//`, `D/60/1/%/c`])
      expect(parseRemotePlaybackPath(path), path).toBeUndefined();
  });

  test('without a date still names the rest', () => {
    expect(parseRemotePlaybackPath('D/60/notadate/u/c')).toMatchObject({ device: 'D', start: undefined });
  });
});

test.each([
  ['1', 1],
  ['1800', 1800],
  ['060', 60],
  ['90', 90],
  ['0', 60],
  ['1801', 60],
  ['-5', 60],
  ['abc', 60],
  ['1e9', 60],
  ['1e2', 60],
  ['1.5', 60],
  ['', 60],
  [' 90', 60],
])('a duration of "%s" is %d seconds (S-5.3, S-9.3)', (text, seconds) => {
  expect(parseDuration(text)).toBe(seconds);
});

describe('a stream id', () => {
  test.each([
    ['4711', 4711],
    ['1', 1],
    ['99999999', 99_999_999],
    ['007', 7],
  ])('of %s is itself', (text, streamId) => {
    expect(streamIdOf(text)).toBe(streamId);
  });

  test.each(['0', '', '-1', 'x', '1.5', '100000000'])('of "%s" is one at random (S-2.6.2)', (text) => {
    expect(streamIdOf(text, () => 0.5)).toBe(randomStreamId(() => 0.5));
  });

  test('at random lies from 1 to 99999999 (S-9.4)', () => {
    expect(randomStreamId(() => 0)).toBe(1);
    expect(randomStreamId(() => 1 - Number.EPSILON)).toBe(99_999_999);
  });
});
