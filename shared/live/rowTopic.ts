// Rows of a list as the live updates send them: one listener of the line for all of the page's, because each listener is sent a
// snapshot, of which the gateway sends only a limited number a minute.
import type { LiveTopic } from '../protocol/api/liveUpdates.ts';
import type { LiveLine } from './liveLine.ts';
import { pageLive } from './pageLive.ts';
import type { ReadLiveUpdate } from './readMessage.ts';

export interface RowListener<Row> {
  /** Rows that are new or changed. */
  readonly onRows: (rows: readonly Row[]) => void;
  /**
   * First, and whenever what is shown may be out of date: after a break, when the session's group changes, when very much changed
   * at once. A list that is loaded from here on misses nothing.
   */
  readonly onReload: () => void;
}

interface ToldRows {
  readonly revision: number;
  /** Undefined: all that is shown of another revision is out of date. */
  readonly rows: readonly unknown[] | undefined;
}

export interface RowTopic<Row> {
  readonly topic: LiveTopic;
  /** Undefined for a message of another topic. */
  readonly read: (message: ReadLiveUpdate) => ToldRows | undefined;
  readonly rowOf: (value: object) => Row;
}

interface RowHub<Row> {
  readonly listeners: Set<RowListener<Row>>;
  /** The revision that the line reported last; undefined before it has said where it begins. */
  shown: number | undefined;
  stop: () => void;
}

/** Gives what listens to the topic on the page's line. */
export function rowTopic<Row>(topic: RowTopic<Row>): (listener: RowListener<Row>) => () => void {
  const hubs = new WeakMap<LiveLine, RowHub<Row>>();
  return (listener) => {
    const line = pageLive();
    const hub = hubs.get(line) ?? openHub(line, topic);
    hubs.set(line, hub);
    hub.listeners.add(listener);
    if (hub.shown !== undefined) listener.onReload();
    return () => {
      hub.listeners.delete(listener);
      if (hub.listeners.size > 0) return;
      hub.stop();
      hubs.delete(line);
    };
  };
}

function openHub<Row>(line: LiveLine, topic: RowTopic<Row>): RowHub<Row> {
  const hub: RowHub<Row> = { listeners: new Set(), shown: undefined, stop: () => undefined };
  hub.stop = line.listen([topic.topic], (message) => take(hub, topic, message));
  return hub;
}

function take<Row>(hub: RowHub<Row>, { read, rowOf }: RowTopic<Row>, message: ReadLiveUpdate): void {
  const told = read(message);
  if (told === undefined) return;
  const { revision, rows } = told;
  const { shown } = hub;
  if (rows !== undefined && shown === undefined) return;
  hub.shown = revision;
  const listeners = [...hub.listeners];
  if (rows !== undefined) {
    const known = rows.filter(isObject).map(rowOf);
    for (const { onRows } of listeners) onRows(known);
    // The line asks again after a silence, in which nothing need have happened.
  } else if (revision !== shown) for (const { onReload } of listeners) onReload();
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
