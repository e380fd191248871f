import { expect, it } from 'vitest';
import { whenActed } from '../../../../server/app/eventActs.ts';
import type { ActedEvent } from '../../../../server/store/events/eventActs.ts';

const acted = (fields: Partial<ActedEvent>): ActedEvent => ({
  ...{ id: 1, archiveNumber: 4, type: 'emergency', edition: '2019', severity: 'critical' },
  ...{ before: 'new', after: 'acknowledged' },
  ...fields,
});

function start() {
  const requests: unknown[] = [];
  const answered: unknown[] = [];
  const released: number[] = [];
  const told: (readonly ActedEvent[])[] = [];
  const device = { deviceId: 'BUS1', incarnation: 9, archiveNumber: 4 };
  const tell = whenActed({
    engine: { setAnswered: (...args: readonly unknown[]) => void answered.push(args) },
    evidence: { clips: { release: async (id: number) => void released.push(id) } },
    live: { acted: (events: readonly ActedEvent[]) => void told.push(events) },
    board: { deviceOfArchive: (number: number) => (number === 4 ? device : undefined) },
    orders: { request: async (request: object) => void requests.push(request) },
    onFault: (error: Error) => {
      throw error;
    },
  } as unknown as Parameters<typeof whenActed>[0]);
  return { tell, requests, answered, released, told };
}

it('the first answer to an alarm that a terminal holds confirms it, once', async () => {
  const { tell, requests } = start();
  tell([
    acted({}),
    // Somebody has answered it before; a note leaves it new; no terminal holds it; its device is gone.
    acted({ id: 2, before: 'acknowledged', after: 'closed' }),
    acted({ id: 3, after: 'new' }),
    acted({ id: 4, edition: '' }),
    acted({ id: 5, archiveNumber: 5 }),
  ]);
  await Promise.resolve();
  expect(requests).toMatchObject([
    { device: { deviceId: 'BUS1' }, body: { kind: 'confirmAlarm', types: 1 }, reason: 'event.confirm', reference: 1 },
  ]);
});

it('an act on many events confirms the alarms of each terminal in one message', async () => {
  const { tell, requests } = start();
  const alarms = ['emergency', 'area-crossed', 'emergency', 'theft', 'fatigue'];
  tell(Array.from({ length: 500 }, (_, at) => acted({ id: at + 1, type: alarms[at % 5] ?? '', after: 'closed' })));
  await Promise.resolve();
  // Bits 0 and 20; the other alarms end by themselves.
  expect(requests).toMatchObject([{ body: { kind: 'confirmAlarm', alarmSerial: 0, types: 0x10_0001 }, reference: 1 }]);
});

it('pages and the engine hear of all answers, and clips of false alarms are let go', () => {
  const { tell, answered, released, told } = start();
  const events = [acted({}), acted({ id: 2, after: 'closed' }), acted({ id: 3, after: 'false-alarm' })];
  tell(events);
  expect(told).toEqual([events]);
  expect(answered).toEqual([
    [4, 1, false],
    [4, 2, true],
    [4, 3, true],
  ]);
  expect(released).toEqual([3]);
});
