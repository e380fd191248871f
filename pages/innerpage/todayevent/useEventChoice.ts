// Which event is open, and which are selected.
import { useMemo, useState } from 'react';
import type { EventRow } from '../../../shared/protocol/api/events.ts';
import type { VideoMode } from '../../../shared/ui/events/video/eventChannels.ts';
import { movedTo } from './model/eventKeys.ts';
import { NOTHING_SELECTED, type Selection, selectAll, selectRange, toggleSelected } from './model/selection.ts';

export interface EventChoice {
  /**
   * The event that the keys act on. When the list no longer has it, it stays as last known while its details are shown; otherwise it
   * becomes undefined, so that no key acts on an event that can't be seen.
   */
  readonly current: EventRow | undefined;
  /** Whether its details are shown. */
  readonly isOpen: boolean;
  readonly video: VideoMode | undefined;
  /** The selected events of the list, in its order. */
  readonly selected: readonly EventRow[];
  readonly isSelected: (id: number) => boolean;
  readonly open: (id: number) => void;
  readonly close: () => void;
  readonly showVideo: (mode: VideoMode | undefined) => void;
  /** The event that the keys lead to; undefined where there is none. */
  readonly move: (to: 'next' | 'previous' | 'first' | 'last', selects: boolean) => number | undefined;
  readonly toggle: (id: number) => void;
  readonly selectTo: (id: number) => void;
  readonly selectAll: () => void;
  readonly clearSelection: () => void;
}

interface Looked {
  readonly event: EventRow;
  readonly isOpen: boolean;
  readonly video: VideoMode | undefined;
}

/** `rows`: all known events; `listed`: those that can be seen, in their order. */
export function useEventChoice(rows: readonly EventRow[], listed: readonly EventRow[]): EventChoice {
  const [looked, setLooked] = useState<Looked>();
  const [selection, setSelection] = useState<Selection>(NOTHING_SELECTED);
  const ids = useMemo(() => listed.map(({ id }) => id), [listed]);
  const selected = useMemo(() => listed.filter(({ id }) => selection.ids.has(id)), [listed, selection]);
  const known = looked && (rows.find(({ id }) => id === looked.event.id) ?? looked.event);
  const current = known !== undefined && (looked?.isOpen === true || ids.includes(known.id)) ? known : undefined;
  if (looked !== undefined && known !== undefined && known !== looked.event) setLooked({ ...looked, event: known });
  const look = (id: number, isOpen: boolean): void => {
    const event = listed.find((each) => each.id === id);
    if (event === undefined) return;
    const video = looked?.event.id === id ? looked.video : undefined;
    setLooked({ event, isOpen, video });
  };
  return {
    current,
    isOpen: looked?.isOpen === true,
    video: looked?.video,
    selected,
    isSelected: (id) => selection.ids.has(id),
    open: (id) => look(id, true),
    close: () => setLooked((at) => at && { ...at, isOpen: false, video: undefined }),
    showVideo: (video) => setLooked((at) => at && { ...at, isOpen: true, video }),
    move: (to, selects) => {
      const id = movedTo(ids, current?.id, to);
      if (id === undefined) return undefined;
      look(id, looked?.isOpen === true);
      if (selects) setSelection((at) => selectRange(at.anchor === undefined ? anchorAt(at, current) : at, ids, id));
      return id;
    },
    toggle: (id) => setSelection((at) => toggleSelected(at, id)),
    selectTo: (id) => setSelection((at) => selectRange(at, ids, id)),
    selectAll: () => setSelection(selectAll(ids)),
    clearSelection: () => setSelection(NOTHING_SELECTED),
  };
}

function anchorAt(selection: Selection, event: EventRow | undefined): Selection {
  return { ...selection, anchor: event?.id };
}
