// What terminals hear when members have answered events: they stop repeating them.
import type { ChangeBus } from '../bus/changeBus.ts';
import type { DeviceOrders } from '../device/orders/deviceOrders.ts';
import { confirmAlarms } from '../events/actions/alarmConfirmations.ts';
import { groupByArchive } from '../events/engine/groupByArchive.ts';
import { inBackground } from '../faults/background.ts';
import type { OnFault } from '../faults/onFault.ts';
import type { FleetBoard } from '../fleet/fleetBoard.ts';
import type { ActedEvent } from '../store/events/eventActs.ts';

interface ConfirmationDeps {
  readonly bus: Pick<ChangeBus, 'eventsActed'>;
  readonly board: Pick<FleetBoard, 'deviceOfArchive'>;
  readonly orders: Pick<DeviceOrders, 'request'>;
  readonly onFault: OnFault;
}

export function confirmAnswered(deps: ConfirmationDeps): void {
  deps.bus.eventsActed.subscribe('alarms in terminals', (events) => {
    // The first answer: a terminal is notified once.
    const seen = events.filter(({ before, after }) => before === 'new' && after !== 'new');
    inBackground('alarms could not be confirmed', confirm(seen, deps), deps.onFault);
  });
}

/** One message for each terminal: an act may be about hundreds of events of one vehicle. */
async function confirm(events: readonly ActedEvent[], { board, orders }: ConfirmationDeps): Promise<void> {
  const confirmations = [...groupByArchive(events)].map(async ([archiveNumber, answered]) => {
    const device = board.deviceOfArchive(archiveNumber);
    if (device !== undefined) await confirmAlarms(answered, device, { orders, now: Date.now });
  });
  await Promise.all(confirmations);
}
