// Events as the live updates tell them, for pages that show rows of them.
import { readRecord } from '../api/readRecord.ts';
import { EventRow } from '../protocol/api/events.ts';
import type { LiveLine } from './liveLine.ts';
import { pageLive } from './pageLive.ts';
import type { ReadLiveUpdate } from './readMessage.ts';

export interface EventListener {
  /** Rows that are new or changed: by id they replace what is shown, unless that has a later version. */
  readonly onEvents: (events: readonly EventRow[]) => void;
  /**
   * First, and whenever what is shown may be out of date: after a break, when the session's group changes, when very many events
   * changed at once. A list that is loaded from here on misses nothing.
   */
  readonly onReload: () => void;
}

interface EventHub {
  readonly listeners: Set<EventListener>;
  /** What the line told last; undefined before it has said where it begins. */
  shown: number | undefined;
  stop: () => void;
}

/** One listener of the line for all of the page's: each of those is sent a snapshot, of which the gateway sends only so many a minute. */
const hubs = new WeakMap<LiveLine, EventHub>();

/** For sessions with the permission `event`; others are told nothing. The result ends it. */
export function listenForEvents(listener: EventListener): () => void {
  const line = pageLive();
  const hub = hubs.get(line) ?? openHub(line);
  hub.listeners.add(listener);
  if (hub.shown !== undefined) listener.onReload();
  return () => {
    hub.listeners.delete(listener);
    if (hub.listeners.size > 0) return;
    hub.stop();
    hubs.delete(line);
  };
}

function openHub(line: LiveLine): EventHub {
  const hub: EventHub = { listeners: new Set(), shown: undefined, stop: () => undefined };
  hubs.set(line, hub);
  hub.stop = line.listen(['events'], (message) => take(hub, message));
  return hub;
}

function take(hub: EventHub, message: ReadLiveUpdate): void {
  if (message.type !== 'events') return;
  const { revision, events } = message;
  const { shown } = hub;
  if (events !== undefined && shown === undefined) return;
  hub.shown = revision;
  const listeners = [...hub.listeners];
  if (events !== undefined) {
    const rows = events.filter(isRow).map((event) => readRecord(EventRow, event));
    for (const { onEvents } of listeners) onEvents(rows);
    // The line asks again after a silence, in which nothing need have happened.
  } else if (revision !== shown) for (const { onReload } of listeners) onReload();
}

function isRow(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
