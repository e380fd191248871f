// Which row of the list the keys are at. It is remembered by its device: rows move while one reads them.
import { type KeyboardEvent, useState } from 'react';
import type { LiveDevice } from '../../../../shared/protocol/api/liveUpdates.ts';
import { nextIndex } from './listKeys.ts';

export interface UseRowKeysOptions {
  readonly devices: readonly LiveDevice[];
  readonly selectedId: string | undefined;
  readonly onPick: (deviceId: string) => void;
  readonly onMove: (index: number) => void;
}

export interface RowKeys {
  /** -1 when the keys are at no row that is shown. */
  readonly activeIndex: number;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

export function useRowKeys({ devices, selectedId, onPick, onMove }: UseRowKeysOptions): RowKeys {
  const [activeId, setActive] = useState(selectedId);
  const [followedId, setFollowed] = useState(selectedId);
  // From what was chosen with the pointer, here or on the map, the keys go on.
  if (selectedId !== followedId) {
    setFollowed(selectedId);
    if (selectedId !== undefined) setActive(selectedId);
  }
  const activeIndex = activeId === undefined ? -1 : devices.findIndex(({ id }) => id === activeId);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' || event.key === ' ') {
      const active = devices[activeIndex];
      if (active !== undefined) onPick(active.id);
      event.preventDefault();
      return;
    }
    const next = nextIndex(event.key, activeIndex, devices.length);
    if (next === undefined) return;
    event.preventDefault();
    setActive(devices[next]?.id);
    onMove(next);
  };
  return { activeIndex, onKeyDown };
}
