import type { StoreDb } from '../engine/database.ts';
import { createEventFigureStore } from './eventFigures.ts';
import { createEventLogStore } from './eventLog.ts';
import { createEventTypeStore } from './eventTypes.ts';

export type EventStores = Readonly<ReturnType<typeof createEventStores>>;

export function createEventStores(db: StoreDb, reading: StoreDb) {
  return {
    eventFigures: createEventFigureStore(reading),
    eventLog: createEventLogStore(db),
    eventTypes: createEventTypeStore(db),
  };
}
