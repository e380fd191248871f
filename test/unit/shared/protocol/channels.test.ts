import { describe, expect, it } from 'vitest';
import { DEFAULT_MASK, lostChannels, parseDeviceRef, selectChannels } from '../../../../shared/protocol/channels.ts';

describe('parseDeviceRef', () => {
  it.each([
    ['DEV1', { deviceId: 'DEV1', mask: 255 }],
    ['DEV1@3', { deviceId: 'DEV1', mask: 3 }],
    ['DEV1@0', { deviceId: 'DEV1', mask: 0 }],
    ['DEV1@4294967295', { deviceId: 'DEV1', mask: 4294967295 }],
    ['DEV1@4294967296', { deviceId: 'DEV1', mask: 255 }],
    ['DEV1@', { deviceId: 'DEV1', mask: 255 }],
    ['DEV1@-1', { deviceId: 'DEV1', mask: 255 }],
    ['DEV1@0x3', { deviceId: 'DEV1', mask: 255 }],
    ['DEV1@1.5', { deviceId: 'DEV1', mask: 255 }],
  ])('reads %s', (text, expected) => {
    expect(parseDeviceRef(text, DEFAULT_MASK)).toEqual(expected);
  });
});

describe('selectChannels', () => {
  const all = { chn: 4, installchs: '1111', livechs: '1111' };

  it.each([
    ['set bits of the mask', 0b1010, all, [2, 4]],
    ['no more than the device has', 0b1010, { ...all, chn: 3 }, [2]],
    ['what is installed, the leftmost being channel 1', 255, { ...all, installchs: '1011' }, [1, 3, 4]],
    ['what is live', 255, { ...all, livechs: '0111' }, [2, 3, 4]],
    ['everything when nothing is said', 255, { chn: 2, installchs: '', livechs: null }, [1, 2]],
    ['at most eight', 65535, { chn: 16 }, [1, 2, 3, 4, 5, 6, 7, 8]],
    ['the highest bit', 2 ** 31, { chn: 32 }, [32]],
    ['none for an empty mask', 0, all, []],
  ])('chooses %s', (_what, mask, device, expected) => {
    expect(selectChannels(mask, device, 'live')).toEqual(expected);
  });

  it('plays back channels that are down now', () => {
    expect(selectChannels(255, { ...all, installchs: '1101', livechs: '0000' }, 'playback')).toEqual([1, 2, 4]);
  });

  it('plays one channel from the device, limited by its count alone', () => {
    expect(selectChannels(0b1100, { ...all, installchs: '0000' }, 'remote')).toEqual([3]);
    expect(selectChannels(0b1000, { chn: 2 }, 'remote')).toEqual([]);
  });
});

describe('lostChannels', () => {
  const lost = { chn: 4, installchs: '1111', livechs: '0110' };

  it.each([
    ['those with a camera and no picture', 255, lost, [1, 4]],
    ['of the mask alone', 0b0011, lost, [1]],
    ['not those without a camera', 255, { ...lost, installchs: '0111' }, [4]],
    ['none where nothing is said of them', 255, { chn: 2, livechs: '' }, []],
    ['as many as the view has room for', 65535, { chn: 10, livechs: '0'.repeat(10) }, [1, 2, 3, 4, 5, 6, 7, 8]],
    ['none beside eight that are live', 65535, { chn: 9, livechs: '011111111' }, []],
  ])('finds %s', (_what, mask, device, expected) => {
    expect(lostChannels(mask, device)).toEqual(expected);
  });
});
