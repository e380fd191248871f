import { describe, expect, it } from 'vitest';
import {
  blankDevice,
  channelRows,
  deviceFaults,
  tabOf,
  withChannel,
  withCount,
} from '../../../../pages/innerpage/devicegroup/devices/deviceForm.ts';

const device = { ...blankDevice(1), deviceid: 'A', name: 'A', chn: 3 };

describe('the channels of a device', () => {
  it('are shown with what is not said as installed and without the rest', () => {
    const rows = channelRows({ ...device, channelNames: ['Front'], installchs: '10', ptzchs: '01' });
    expect(rows.map(({ name, installed, ptz, talk }) => [name, installed, ptz, talk])).toEqual([
      ['Front', true, false, false],
      ['', false, true, false],
      ['', true, false, false],
    ]);
  });

  it('are written back without what says nothing', () => {
    const [first, second] = channelRows(device);
    if (first === undefined || second === undefined) throw new Error('no channels');
    expect(withChannel(device, { ...second, name: 'Door' }).channelNames).toEqual(['', 'Door']);
    expect(withChannel(device, { ...first, talk: true })).toMatchObject({ installchs: '', ptzchs: '', talkchs: '100' });
    expect(withChannel(device, { ...second, installed: false })).toMatchObject({ installchs: '101' });
  });

  it('leave nothing behind when there are fewer', () => {
    const full = { ...device, channelNames: ['a', 'b', 'c'], installchs: '101', ptzchs: '011', talkchs: '111' };
    expect(withCount(full, 2)).toMatchObject({ chn: 2, channelNames: ['a', 'b'], installchs: '10', ptzchs: '01' });
    expect(withCount(full, null)).toMatchObject({ chn: null, installchs: '101' });
  });

  it('are as many as the terminal says, with room to set some', () => {
    expect(channelRows({ ...device, chn: 0 })).toHaveLength(8);
    expect(channelRows({ ...device, chn: 0, ptzchs: '0'.repeat(12) })).toHaveLength(12);
    expect(channelRows({ ...device, chn: 99 })).toEqual([]);
  });
});

describe('what is wrong with a device', () => {
  it('is nothing for one with id, name, group and channels', () => {
    expect(deviceFaults(device, true)).toEqual({});
  });

  it('names each field', () => {
    const wrong = { ...device, deviceid: 'a/b', name: ' ', group: null, chn: null, terminal: '12x', timeZone: 'Mars' };
    expect(deviceFaults(wrong, true)).toEqual({
      deviceid: 'bad-format',
      name: 'required',
      group: 'required',
      chn: 'required',
      terminal: 'bad-format',
      timeZone: 'not-allowed',
    });
    expect(deviceFaults({ ...device, deviceid: 'a/b', group: null }, false)).toEqual({});
  });

  it('is found on the tab where it stands', () => {
    expect(['chn', 'ptzchs', 'recording', 'name'].map(tabOf)).toEqual(['channels', 'channels', 'recording', 'general']);
  });
});
