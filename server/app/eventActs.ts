// What follows when members have answered events: pages hear of it, clips of false alarms are let go, terminals stop repeating.
import { isAnswered } from '../../shared/protocol/events/eventWords.ts';
import type { DeviceOrders } from '../device/orders/deviceOrders.ts';
import { confirmAlarms } from '../events/actions/alarmConfirmations.ts';
import type { EventEngine } from '../events/engine/eventEngine.ts';
import { groupByArchive } from '../events/engine/groupByArchive.ts';
import { inBackground } from '../faults/background.ts';
import type { OnFault } from '../faults/onFault.ts';
import type { FleetBoard } from '../fleet/fleetBoard.ts';
import type { ActedEvent } from '../store/events/eventActs.ts';
import type { Evidence } from './evidence.ts';
import type { LiveEvents } from './liveEvents.ts';

interface WhenActedDeps {
  readonly engine: Pick<EventEngine, 'setAnswered'>;
  readonly evidence: Pick<Evidence, 'clips'>;
  readonly live: Pick<LiveEvents, 'acted'>;
  readonly board: Pick<FleetBoard, 'deviceOfArchive'>;
  readonly orders: Pick<DeviceOrders, 'request'>;
  readonly onFault: OnFault;
}

export function whenActed(deps: WhenActedDeps): (events: readonly ActedEvent[]) => void {
  const { engine, evidence, live, onFault } = deps;
  return (events) => {
    live.acted(events);
    for (const { archiveNumber, id, after } of events) engine.setAnswered(archiveNumber, id, isAnswered(after));
    const wrong = events.filter(({ after }) => after === 'false-alarm').map(({ id }) => evidence.clips.release(id));
    inBackground('clips of false alarms could not be released', Promise.all(wrong), onFault);
    // The first answer: a terminal is notified once.
    const seen = events.filter(({ before, after }) => before === 'new' && after !== 'new');
    inBackground('alarms could not be confirmed', confirm(seen, deps), onFault);
  };
}

/** One message for each terminal: an act may be about hundreds of events of one vehicle. */
async function confirm(events: readonly ActedEvent[], { board, orders }: WhenActedDeps): Promise<void> {
  const confirmations = [...groupByArchive(events)].map(async ([archiveNumber, answered]) => {
    const device = board.deviceOfArchive(archiveNumber);
    if (device !== undefined) await confirmAlarms(answered, device, { orders, now: Date.now });
  });
  await Promise.all(confirmations);
}
