// Live updates of events for open pages: their rows, and how many are open.

import type { EventCounts } from '../../shared/protocol/api/events.ts';
import { builtInType } from '../../shared/protocol/events/builtInTypes.ts';
import type { StoredChange } from '../events/engine/eventWriter.ts';
import type { FleetBoard } from '../fleet/fleetBoard.ts';
import { EventCountSource } from '../fleet/updates/events/eventCountSource.ts';
import { EventRowSource } from '../fleet/updates/events/eventRowSource.ts';
import type { StatusChange } from '../fleet/updates/events/openEvents.ts';
import { OpenEvents } from '../fleet/updates/events/openEvents.ts';
import { type PlacedPopUp, PopUpSource } from '../fleet/updates/events/popUpSource.ts';
import type { StoredEventType } from '../store/events/eventTypes.ts';
import type { EventScope } from '../store/events/list/eventFilter.ts';
import type { Stores } from '../store/stores.ts';
import type { Context, PartTools } from './context.ts';

export interface LiveEvents {
  readonly rows: EventRowSource;
  readonly counts: EventCountSource;
  readonly popUps: PopUpSource;
  start(): Promise<void>;
  /** The engine's changes, once the database has them. */
  stored(changes: readonly StoredChange[]): void;
  /** Events that have just begun, to be shown over whatever page is open. */
  popUp(events: readonly PopUpEvent[]): void;
  /** Something else about these events has changed. */
  changed(ids: readonly number[]): void;
  countsOf(scope: EventScope): Promise<EventCounts>;
}

type LiveEventsContext = Pick<Context, 'bus' | 'log' | 'closing'> & {
  readonly stores: Pick<Stores, 'eventCounts' | 'eventList' | 'fleet'>;
};

export function startLiveEvents(
  { stores, bus, closing }: LiveEventsContext,
  { runAfter, onFault }: PartTools,
  board: FleetBoard,
): LiveEvents {
  const pace = { now: () => performance.now(), runAfter };
  const open = new OpenEvents({
    store: stores.eventCounts,
    groupOfArchive: (archiveNumber) => board.deviceOfArchive(archiveNumber)?.deviceGroup,
    onChange: () => counts.changed(),
    runAfter,
    onFault,
  });
  const counts = new EventCountSource(open, pace);
  const rows = new EventRowSource({ ...pace, firstRevision: Date.now(), store: stores.eventList, onFault });
  const popUps = new PopUpSource(pace);
  const isNews = createNewsCheck();
  board.onRegrouped(() => {
    open.regroup();
    rows.reload();
  });
  bus.eventsActed.subscribe('open events', (acted) => {
    open.note(acted);
    rows.changed(acted.map(({ id }) => id));
  });
  bus.deviceRemoved.subscribe('open events', () => open.recountSoon());
  closing.add('live events', async () => {
    rows.close();
    counts.close();
    popUps.close();
    await open.close();
  });
  return {
    rows,
    counts,
    popUps,
    start: () => open.count(),
    stored: (changes) => {
      open.note(changes.flatMap(beginOf));
      rows.changed(changes.filter(isNews).map(({ event }) => event.id));
    },
    popUp: (events) => popUps.add(events.map((each) => placedPopUp(each, board))),
    changed: (ids) => rows.changed(ids),
    countsOf: async ({ memberGroup, seesGateway }) =>
      open.countsOf(new Set(await stores.fleet.deviceGroupsOf(memberGroup)), seesGateway),
  };
}

/** Whether a change is news. The continuation of an event isn't, unless its value differs from the last reported one. */
function createNewsCheck(): (change: StoredChange) => boolean {
  // Keyed by the engine's event object, and kept no longer than that.
  const values = new WeakMap<StoredChange['event'], number>();
  return ({ kind, event }) => {
    if (kind !== 'seen') return true;
    const { value } = event;
    if (value === undefined || values.get(event) === value) return false;
    values.set(event, value);
    return true;
  };
}

export interface PopUpEvent {
  readonly event: StoredChange['event'];
  readonly type: StoredEventType | undefined;
}

function placedPopUp({ event, type }: PopUpEvent, board: FleetBoard): PlacedPopUp {
  const device = event.device && board.deviceOfArchive(event.device.archiveNumber);
  const { nameEn = '', nameZh = '', nameJp = '' } = type ?? {};
  const { id, severity, beginAtMs } = event;
  const names = { nameEn, nameZh, nameJp, builtInName: builtInType(event.type)?.name ?? '' };
  const popUp = { id, severity, beginAtMs, ...names, deviceName: device?.name ?? '', plate: device?.plate ?? '' };
  return { isOfGateway: event.device === undefined, deviceGroup: device?.deviceGroup, popUp };
}

function beginOf({ kind, event }: StoredChange): StatusChange[] {
  if (kind !== 'begun') return [];
  const { id, device, severity } = event;
  return [{ id, archiveNumber: device?.archiveNumber ?? 0, severity, before: undefined, after: 'new' }];
}
