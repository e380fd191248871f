import { expect, it } from 'vitest';
import { parseLocalPlaybackPath, parseRemotePlaybackPath } from '../../../../../shared/protocol/playbackPath.ts';
import { videoAddress } from '../../../../../shared/ui/video/videoAddress.ts';

const link = 'BUS%201/mei/secret';
const startMs = 1_795_000_000_500;

it('gives addresses that the video pages read back', () => {
  expect(videoAddress(link, { kind: 'live' })).toBe('/live/BUS%201/mei/secret');
  const local = videoAddress(link, { kind: 'local', startMs });
  expect(parseLocalPlaybackPath(local.replace('/playback/', ''))).toEqual({
    device: 'BUS 1',
    streamId: '0',
    start: 1_795_000_000,
    username: 'mei',
    credential: 'secret',
  });
  const remote = videoAddress(link, { kind: 'remote', startMs, durationSeconds: 300, channel: 3 });
  expect(parseRemotePlaybackPath(remote.replace('/remote/', ''))).toEqual({
    device: 'BUS 1@4',
    durationSeconds: 300,
    start: 1_795_000_000,
    username: 'mei',
    credential: 'secret',
  });
});
