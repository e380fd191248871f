import { describe, expect, test } from 'vitest';
import { NO_FLEET, nextFleet } from '../../../../shared/live/liveFleet.ts';
import { DEVICE_DEFAULTS, type ReadLiveUpdate, readLiveUpdate } from '../../../../shared/live/readMessage.ts';
import { NO_DEVICES } from '../../../../shared/protocol/api/liveUpdates.ts';

const read = (message: unknown): ReadLiveUpdate => {
  const found = readLiveUpdate(JSON.stringify(message));
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
  test('fills what a snapshot does not tell, and leaves out rows without an id', () => {
    const devices = [{ id: 'a', state: 'gone', speedKmh: 'fast', plate: 'KEL-1' }, { id: '' }, 7, null];
    expect(read({ type: 'snapshot', devices })).toEqual({
      type: 'snapshot',
      devices: [{ ...DEVICE_DEFAULTS, id: 'a', plate: 'KEL-1' }],
    });
    expect(read({ type: 'snapshot', counts: { total: 1 } })).toEqual({
      type: 'snapshot',
      counts: { ...NO_DEVICES, total: 1 },
    });
  });

  test('takes of a change only what it tells, in the kind that it should be', () => {
    expect(
      read({ type: 'changes', devices: [{ id: 'a', lat: null, isMoving: 1, later: 2 }], removed: ['b', 1] }),
    ).toEqual({ type: 'changes', devices: [{ id: 'a', lat: null }], removed: ['b'] });
    expect(read({ type: 'changes', counts: { online: 3, odd: 'x', alarm: 'y' } })).toEqual({
      type: 'changes',
      counts: { ...NO_DEVICES, online: 3 },
    });
    expect(read({ type: 'changed', records: ['device', null] })).toEqual({ type: 'changed', records: ['device'] });
  });

  test.each(['', '[]', 'null', '{"type":"else"}', '{'])('%j is none', (text) => {
    expect(readLiveUpdate(text)).toBeUndefined();
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
    expect(next.devices.get('b')).toMatchObject({ name: 'Truck b', state: 'offline' });
    expect(next.counts).toEqual({ ...NO_DEVICES, online: 1 });
    expect([...known.devices.keys()]).toEqual(['a', 'b']);
  });

  test('is the same object when nothing changed, so that nothing is drawn again', () => {
    const known = nextFleet(NO_FLEET, read({ type: 'snapshot', devices: [device('a')] }));
    expect(nextFleet(known, read({ type: 'changes' }))).toBe(known);
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
