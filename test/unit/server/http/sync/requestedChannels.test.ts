import { describe, expect, it } from 'vitest';
import { requestedChannels } from '../../../../../server/http/sync/requestedChannels.ts';

describe('a request', () => {
  it.each([
    ['of channels with a camera', [2, 4], [1, 2, 4], [2, 4]],
    ['without channels is for all cameras', [], [1, 2, 4], [1, 2, 4]],
    ['of a channel without a camera is for none', [2, 3], [1, 2, 4], undefined],
    ['of a device that has told nothing yet is for what it names', [9], [], [9]],
    ['without channels of such a device is for nothing', [], [], []],
  ])('%s', (_what, named, cameras, channels) => {
    expect(requestedChannels(named, cameras)).toEqual(channels);
  });
});
