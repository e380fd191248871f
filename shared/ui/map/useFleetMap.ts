// The map in the life of a component: loaded when it is first shown, fed while it stands, closed with it.
import useMediaQuery from '@mui/material/useMediaQuery';
import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getMapSource } from '../../../../shared/api/fleet.ts';
import type { LiveFleet } from '../../../../shared/live/liveFleet.ts';
import { loadChunk } from '../../../../shared/ui/loadChunk.ts';
import type { Background } from '../../../../shared/ui/map/background.ts';
import type { Covered, FleetMap } from '../../../../shared/ui/map/fleetMap.ts';
import { DARK_MAP, LIGHT_MAP } from '../../../../shared/ui/map/mapScheme.ts';
import type { FleetChoice } from '../useFleetFilter.ts';

export type MapState =
  | { readonly kind: 'loading' }
  /** `background` is undefined until one is drawn. */
  | { readonly kind: 'ready'; readonly map: FleetMap; readonly background: Background['kind'] | undefined }
  | { readonly kind: 'failed' };

export interface FleetMapWish {
  readonly fleet: LiveFleet;
  readonly filter: FleetChoice;
  readonly panel: RefObject<HTMLElement | null>;
  readonly onTogether: (deviceIds: readonly string[]) => void;
}

const LOADING: MapState = { kind: 'loading' };

export function useFleetMap(host: RefObject<HTMLElement | null>, wish: FleetMapWish): MapState {
  const { fleet, filter } = wish;
  const [state, setState] = useState(LOADING);
  const isDark = useMediaQuery('(prefers-color-scheme: dark)');
  const scheme = isDark ? DARK_MAP : LIGHT_MAP;
  const texts = useMapTexts();
  const together = useEffectEvent((deviceIds: readonly string[]) => wish.onTogether(deviceIds));
  const open = useEffectEvent(async (element: HTMLElement, isCurrent: () => boolean) => {
    const [parts, source] = await Promise.all([
      loadChunk(() => import('../../../../shared/ui/map/fleetMap.ts'), 'fleetMap'),
      getMapSource(),
    ]);
    if (!isCurrent()) return undefined;
    return new parts.FleetMap({
      host: element,
      ...(source.ok ? source.value : { styleUrl: '', attribution: '' }),
      scheme,
      texts,
      font: getComputedStyle(document.body).fontFamily,
      onSelect: filter.select,
      onTogether: (deviceIds) => together(deviceIds),
      covered: () => coveredBy(element, wish.panel.current),
      onMoved: () => filter.setFollowing(false),
      onBackground: (background) => setState((at) => (at.kind === 'ready' ? { ...at, background } : at)),
    });
  });
  useEffect(() => {
    if (host.current === null) return undefined;
    let isCurrent = true;
    let map: FleetMap | undefined;
    open(host.current, () => isCurrent).then(
      (made) => {
        map = made;
        if (made !== undefined) setState({ kind: 'ready', map: made, background: undefined });
      },
      (error: unknown) => {
        console.warn('the map could not be shown', error);
        if (isCurrent) setState({ kind: 'failed' });
      },
    );
    return () => {
      isCurrent = false;
      map?.close();
      setState(LOADING);
    };
  }, [host]);
  const map = state.kind === 'ready' ? state.map : undefined;
  useEffect(() => map?.setDevices(filter.shown, fleet.devices), [map, filter.shown, fleet.devices]);
  // What was filtered and lies elsewhere is not left for the reader to look for.
  useEffect(() => {
    void filter.filter;
    map?.showSome();
  }, [map, filter.filter]);
  useEffect(() => map?.select(filter.selected?.id, filter.isFollowing), [map, filter.selected?.id, filter.isFollowing]);
  useEffect(() => map?.setScheme(scheme), [map, scheme]);
  return state;
}

/** What the panel hides: the map's lower part where it is as wide as the map, else the part at its left. */
function coveredBy(map: HTMLElement, panel: HTMLElement | null): Covered {
  if (panel === null) return { left: 0, below: 0 };
  const [whole, part] = [map.getBoundingClientRect(), panel.getBoundingClientRect()];
  if (part.width < whole.width * 0.9) return { left: Math.max(0, part.right - whole.left), below: 0 };
  return { left: 0, below: Math.max(0, whole.bottom - part.top) };
}

function useMapTexts(): Readonly<Record<string, string>> {
  const { t } = useTranslation('Dashboard');
  return {
    'Map.Title': t('Map'),
    'NavigationControl.ZoomIn': t('Zoom in'),
    'NavigationControl.ZoomOut': t('Zoom out'),
    'AttributionControl.ToggleAttribution': t('Sources of the map'),
  };
}
