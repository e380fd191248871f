import { expect, it } from 'vitest';
import { confirmAnswered } from '../../../../server/app/eventActs.ts';
import { createChangeBus } from '../../../../server/bus/changeBus.ts';
import type { ActedEvent } from '../../../../server/store/events/eventActs.ts';
import { noFaults } from '../../../support/fakes/noFaults.ts';

const acted = (fields: Partial<ActedEvent>): ActedEvent => ({
  ...{ id: 1, archiveNumber: 4, type: 'emergency', edition: '2019', severity: 'critical' },
  ...{ before: 'new', after: 'acknowledged' },
  ...fields,
});

function start() {
  const requests: unknown[] = [];
  const device = { deviceId: 'BUS1', incarnation: 9, archiveNumber: 4 };
  const bus = createChangeBus(noFaults);
  confirmAnswered({
    bus,
    board: { deviceOfArchive: (number: number) => (number === 4 ? device : undefined) },
    orders: { request: async (request: object) => void requests.push(request) },
    onFault: noFaults,
  } as unknown as Parameters<typeof confirmAnswered>[0]);
  return { tell: (events: readonly ActedEvent[]) => bus.eventsActed.tell(events), requests };
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
