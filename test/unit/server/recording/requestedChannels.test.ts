import { describe, expect, it } from 'vitest';
import { channelStatesOf, withheldChannels } from '../../../../server/recording/channelStates.ts';
import { RequestedChannels } from '../../../../server/recording/requestedChannels.ts';

const channel = (deviceId: string, number = 1) => ({ deviceId, archiveId: `A-${deviceId}`, channel: number });

describe('channels that events have asked for', () => {
  it('are wanted until the latest end that was asked for', () => {
    const requested = new RequestedChannels(undefined);
    requested.add(channel('BUS1'), 100);
    requested.add(channel('BUS1', 2), 50);
    requested.add(channel('BUS1'), 80);
    expect(requested.at(49)).toEqual([channel('BUS1'), channel('BUS1', 2)]);
    expect(requested.at(50)).toEqual([channel('BUS1')]);
    expect(requested.at(100)).toEqual([]);
    expect(requested.size).toBe(0);
  });

  it('go with their device', () => {
    const requested = new RequestedChannels(undefined);
    requested.add(channel('BUS1'), 100);
    requested.add(channel('BUS2'), 100);
    requested.forget('BUS1');
    expect(requested.at(0)).toEqual([channel('BUS2')]);
  });
});

describe('channelStatesOf', () => {
  it('names what is due and what is written, by device', () => {
    const due = [channel('BUS1', 1), channel('BUS1', 32), channel('BUS2', 2)];
    const written = [channel('BUS1', 1), channel('BUS3', 4)];
    expect([...channelStatesOf(due, written, [channel('BUS4', 3)])]).toEqual([
      ['BUS1', { dueBits: 1 | (1 << 31), writtenBits: 1, withheldBits: 0 }],
      ['BUS2', { dueBits: 2, writtenBits: 0, withheldBits: 0 }],
      ['BUS3', { dueBits: 0, writtenBits: 8, withheldBits: 0 }],
      ['BUS4', { dueBits: 0, writtenBits: 0, withheldBits: 4 }],
    ]);
  });

  it('leaves out channels that no bit stands for', () => {
    expect(channelStatesOf([channel('BUS1', 33)], [])).toEqual(new Map());
  });

  it('S-2.4.9 gives the channels back that a data plan withholds', () => {
    const states = channelStatesOf([channel('BUS1', 2)], [], [channel('BUS1', 32), channel('BUS1', 1)]);
    expect(withheldChannels(states.get('BUS1'))).toEqual([1, 32]);
    expect(withheldChannels(undefined)).toEqual([]);
  });
});
