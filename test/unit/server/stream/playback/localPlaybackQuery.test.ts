import { expect, test } from 'vitest';
import { parseLocalPlaybackQuery } from '../../../../../server/stream/playback/localPlaybackQuery.ts';

const parse = (fields: Readonly<Record<string, string>>) =>
  parseLocalPlaybackQuery(new URLSearchParams({ deviceid: 'BUS1', channel: '2', spbtime: '1772373600', ...fields }));

test('a playback query names the channel, the stream and where it begins', () => {
  expect(parse({ streamid: '7', audio: '1', username: 'ann', credential: 'c' })).toMatchObject({
    deviceId: 'BUS1',
    channel: 2,
    streamId: 7,
    startMs: 1_772_373_600_000,
    wantsAudio: true,
    username: 'ann',
    credential: 'c',
  });
});

test.each(['', '0', '-3', '123456789', 'x', '1.5'])('stream number %j means 0', (streamid) => {
  expect(parse({ streamid })?.streamId).toBe(0);
});

test('a time may have parts of a second', () => {
  expect(parse({ spbtime: '1772373600.25' })?.startMs).toBe(1_772_373_600_250);
});

test.each([{ spbtime: '' }, { spbtime: 'noon' }, { spbtime: '-5' }, { channel: '0' }, { deviceid: '' }])(
  '%o is no query',
  (fields) => {
    expect(parse(fields)).toBeUndefined();
  },
);
