import { describe, expect, it } from 'vitest';
import { AlarmConnections, STALE_MS } from '../../../../../server/device/attachments/alarmConnections.ts';

function connection(name: string, ended: string[], heardAtMs = 0) {
  return {
    heardAtMs,
    giveWay: async () => {
      ended.push(name);
    },
  };
}

describe('connections that bring files of alarms', () => {
  it('give way to a newer one for the same alarm, and to no other', async () => {
    const ended: string[] = [];
    const connections = new AlarmConnections();
    const [first, second] = [connection('first', ended), connection('second', ended)];
    await connections.enter('a', 'BUS1', first);
    await connections.enter('b', 'BUS1', connection('other', ended));
    await connections.enter('a', 'BUS1', second);
    expect(ended).toEqual(['first']);
    connections.leave('a', first);
    await connections.enter('a', 'BUS1', connection('third', ended));
    expect(ended).toEqual(['first', 'second']);
    connections.leave('a', second);
    await connections.enter('a', 'BUS1', connection('fourth', ended));
    expect(ended).toEqual(['first', 'second', 'third']);
  });

  it('of a device are ended when they are stale, the one silent for longest first', async () => {
    const ended: string[] = [];
    const connections = new AlarmConnections();
    const newest = connection('newest', ended, 0);
    await connections.enter('a', 'BUS1', connection('lively', ended, 1_001));
    await connections.enter('b', 'BUS1', connection('silent', ended, 1_000));
    await connections.enter('c', 'BUS1', connection('longest', ended, 999));
    await connections.enter('d', 'BUS2', connection("another device's", ended, 0));
    await connections.enter('e', 'BUS1', newest);
    expect(await connections.endStale('BUS1', newest, 998 + STALE_MS)).toBe(false);
    expect(await connections.endStale('BUS1', newest, 1_000 + STALE_MS)).toBe(true);
    expect(ended).toEqual(['longest']);
  });
});
