import { describe, expect, test } from 'vitest';
import { NO_FLEET, nextFleet } from '../../../../shared/live/liveFleet.ts';
import { readLiveMessage } from '../../../../shared/live/readMessage.ts';
import type { LiveServerMessage } from '../../../../shared/protocol/liveUpdates.ts';

const read = (message: unknown): LiveServerMessage => {
  const found = readLiveMessage(JSON.stringify(message));
  if (found === undefined) throw new Error('no message');
  return found;
};
const device = (id: string, more: object = {}) => ({
  id,
  name: `Truck ${id}`,
  state: 'online',
  lat: 25,
  lng: 121,
  ...more,
});

describe('reading a message', () => {
  test('fills what is missing with what shows nothing, and leaves out rows without an id', () => {
    const message = read({
      type: 'snapshot',
      devices: [{ id: 'a', state: 'gone', speedKmh: 'fast' }, { id: '' }, 7, null],
    });
    expect(message).toEqual({
      type: 'snapshot',
      devices: [
        {
          ...{ id: 'a', name: '', plate: '', group: 0, state: 'never', at: 0, lat: null, lng: null, speedKmh: 0 },
          ...{ heading: 0, isMoving: false, inAlarm: false, videoLoss: false },
        },
      ],
    });
  });

  test('takes figures that are numbers and records that are texts', () => {
    expect(read({ type: 'changes', counts: { online: 3, odd: 'x' }, removed: ['b', 1] })).toEqual({
      type: 'changes',
      devices: [],
      removed: ['b'],
      counts: { online: 3 },
    });
    expect(read({ type: 'changed', records: ['device', null] })).toEqual({ type: 'changed', records: ['device'] });
  });

  test.each(['', '[]', 'null', '{"type":"else"}', '{'])('%j is none', (text) => {
    expect(readLiveMessage(text)).toBeUndefined();
  });
});

describe('the fleet', () => {
  test('is known with the snapshot, and follows the changes', () => {
    const before = nextFleet(NO_FLEET, read({ type: 'changes', devices: [device('x')] }));
    expect(before).toBe(NO_FLEET);
    const known = nextFleet(
      before,
      read({ type: 'snapshot', devices: [device('a'), device('b')], counts: { total: 2, online: 2 } }),
    );
    expect(known.isKnown).toBe(true);
    const next = nextFleet(
      known,
      read({
        type: 'changes',
        devices: [device('b', { state: 'offline' }), device('c')],
        removed: ['a'],
        counts: { online: 1 },
      }),
    );
    expect([...next.devices.keys()]).toEqual(['b', 'c']);
    expect(next.devices.get('b')?.state).toBe('offline');
    expect(next.counts).toEqual({ total: 2, online: 1 });
    expect([...known.devices.keys()]).toEqual(['a', 'b']);
  });

  test('is the same object when nothing changed, so that nothing is drawn again', () => {
    const known = nextFleet(NO_FLEET, read({ type: 'snapshot', devices: [device('a')] }));
    expect(nextFleet(known, read({ type: 'changes' }))).toBe(known);
    expect(nextFleet(known, read({ type: 'alive' }))).toBe(known);
    expect(nextFleet(known, read({ type: 'changed', records: ['device'] }))).toBe(known);
    const counted = nextFleet(known, read({ type: 'changes', counts: { total: 1 } }));
    expect(counted.devices).toBe(known.devices);
  });

  test('after a break is what the new snapshot says and nothing of the old one', () => {
    const known = nextFleet(NO_FLEET, read({ type: 'snapshot', devices: [device('a')], counts: { total: 1 } }));
    const after = nextFleet(known, read({ type: 'snapshot', devices: [device('b')], counts: { total: 1 } }));
    expect([...after.devices.keys()]).toEqual(['b']);
  });
});
