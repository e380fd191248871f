// The selected events, for acts on several of them. Pure.
import { EVENTS_AT_ONCE } from '../../../../shared/protocol/events/eventWords.ts';

export interface Selection {
  readonly ids: ReadonlySet<number>;
  /** The event where a range begins: the one that was selected last. */
  readonly anchor: number | undefined;
}

export const NOTHING_SELECTED: Selection = { ids: new Set(), anchor: undefined };

/** Adds one event, or removes it if it is selected. */
export function toggleSelected({ ids }: Selection, id: number): Selection {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return { ids: bounded([...next]), anchor: id };
}

/** Adds all events from the anchor to this one, in the order of the list, to the selection. Without an anchor, it adds this event alone. */
export function selectRange(selection: Selection, listed: readonly number[], id: number): Selection {
  const from = selection.anchor === undefined ? -1 : listed.indexOf(selection.anchor);
  const to = listed.indexOf(id);
  if (from < 0 || to < 0) return { ids: bounded([...selection.ids, id]), anchor: id };
  const range = listed.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { ids: bounded([...selection.ids, ...range]), anchor: selection.anchor };
}

/** Selects as many events from the top of the list as one act may name. */
export function selectAll(listed: readonly number[]): Selection {
  return { ids: bounded(listed), anchor: undefined };
}

function bounded(ids: readonly number[]): ReadonlySet<number> {
  return new Set([...new Set(ids)].slice(0, EVENTS_AT_ONCE));
}
