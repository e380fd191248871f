// Which view of the page is shown, and the ways from one to another.
import { useState } from 'react';
import type { Card } from './fleetFilter.ts';
import type { FleetChoice } from './useFleetFilter.ts';
import { wallOfHash } from './wall/wallTurn.ts';

export const VIEWS = ['map', 'list', 'figures', 'wall'] as const;
export type View = (typeof VIEWS)[number];

export interface UseViewsOptions {
  readonly filter: FleetChoice;
  /** The words of the top bar. */
  readonly search: string;
  readonly onSearch: (text: string) => void;
  /** Map and list stand beside one another. */
  readonly isWide: boolean;
}

export interface Views {
  readonly view: View;
  readonly setView: (view: View) => void;
  /** The devices that a card counts, and no others. */
  readonly showCard: (card: Card) => void;
  /** These devices and no others; `label` says in words which they are. */
  readonly showOnly: (deviceIds: readonly string[], label: string) => void;
  readonly showDevice: (deviceId: string) => void;
  /** Takes everything back that leaves devices out. */
  readonly clear: () => void;
}

export function useViews({ filter, search, onSearch, isWide }: UseViewsOptions): Views {
  const [chosen, setView] = useState<View>(() => (wallOfHash(window.location.hash) === undefined ? 'map' : 'wall'));
  const view = isWide && chosen === 'list' ? 'map' : chosen;
  const showList = () => setView(isWide ? 'map' : 'list');
  const [searched, setSearched] = useState(search);
  if (search !== searched) {
    setSearched(search);
    // What was typed is looked for among the devices, which another view would hide.
    if (search !== '' && (view === 'figures' || view === 'wall')) showList();
  }
  return {
    view,
    setView,
    showCard: (card) => {
      onSearch('');
      filter.select(undefined);
      filter.showCard(card);
      showList();
    },
    showOnly: (deviceIds, label) => {
      onSearch('');
      filter.select(undefined);
      filter.showOnly({ ids: new Set(deviceIds), label });
      showList();
    },
    showDevice: (deviceId) => {
      filter.select(deviceId);
      setView('map');
    },
    clear: () => {
      onSearch('');
      filter.clear();
    },
  };
}
