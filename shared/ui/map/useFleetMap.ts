// The map in the life of a component: loaded when it is first shown, fed while it stands, closed with it.
import useMediaQuery from '@mui/material/useMediaQuery';
import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getMapSource, NO_MAP_SOURCE } from '../../api/fleet.ts';
import type { LiveDevice } from '../../protocol/api/liveUpdates.ts';
import { loadChunk } from '../loadChunk.ts';
import type { BackgroundState } from './background.ts';
import type { Covered, FleetMap } from './fleetMap.ts';
import { DARK_MAP, LIGHT_MAP } from './mapScheme.ts';

export type MapState =
  | { readonly kind: 'loading' }
  | {
      readonly kind: 'ready';
      readonly map: FleetMap;
      /** Undefined until one is drawn. */
      readonly background: BackgroundState | undefined;
      /** The view is so close that a reader expects streets. */
      readonly isStreetLevel: boolean;
    }
  | { readonly kind: 'failed' };

export interface UseFleetMapOptions {
  readonly devices: readonly LiveDevice[];
  /** Drawn, and looked at, whether or not it is among the devices. */
  readonly selected: LiveDevice | undefined;
  readonly isFollowing: boolean;
  /** With another value the map goes to where devices are, unless some are in view: what a reader asked for is not left to be searched. */
  readonly viewKey: unknown;
  /** What lies over a part of the map. */
  readonly panel: RefObject<HTMLElement | null>;
  readonly onSelect: (deviceId: string | undefined) => void;
  /** Several devices that no zoom sets apart. */
  readonly onTogether: (deviceIds: readonly string[]) => void;
  /** The reader has moved the map: no device is followed any more. */
  readonly onMoved: () => void;
}

const LOADING: MapState = { kind: 'loading' };

export function useFleetMap(host: RefObject<HTMLElement | null>, options: UseFleetMapOptions): MapState {
  const { devices, selected, isFollowing, viewKey } = options;
  const [state, setState] = useState(LOADING);
  const isDark = useMediaQuery('(prefers-color-scheme: dark)');
  const scheme = isDark ? DARK_MAP : LIGHT_MAP;
  const texts = useMapTexts();
  const { i18n } = useTranslation();
  const select = useEffectEvent((deviceId: string | undefined) => options.onSelect(deviceId));
  const together = useEffectEvent((deviceIds: readonly string[]) => options.onTogether(deviceIds));
  const moved = useEffectEvent(() => options.onMoved());
  const change = (part: Partial<MapState & { kind: 'ready' }>): void =>
    setState((at) => (at.kind === 'ready' ? { ...at, ...part } : at));
  const open = useEffectEvent(async (element: HTMLElement, isCurrent: () => boolean) => {
    const [parts, source] = await Promise.all([loadChunk(() => import('./fleetMap.ts'), 'fleetMap'), getMapSource()]);
    if (!isCurrent()) return undefined;
    return new parts.FleetMap({
      host: element,
      source: source.ok ? source.value : NO_MAP_SOURCE,
      language: i18n.language,
      scheme,
      texts,
      font: getComputedStyle(document.body).fontFamily,
      onSelect: (deviceId) => select(deviceId),
      onTogether: (deviceIds) => together(deviceIds),
      covered: () => coveredBy(element, options.panel.current),
      onMoved: () => moved(),
      onBackground: (background) => change({ background }),
      onStreetLevel: (isStreetLevel) => change({ isStreetLevel }),
    });
  });
  useEffect(() => {
    if (host.current === null) return undefined;
    let isCurrent = true;
    let map: FleetMap | undefined;
    open(host.current, () => isCurrent).then(
      (made) => {
        map = made;
        if (made !== undefined) setState({ kind: 'ready', map: made, background: undefined, isStreetLevel: false });
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
  useEffect(() => map?.show({ devices, selected, isFollowing }), [map, devices, selected, isFollowing]);
  useEffect(() => {
    void viewKey;
    map?.showSome();
  }, [map, viewKey]);
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
  const { t } = useTranslation('Map');
  return {
    'Map.Title': t('Map'),
    'NavigationControl.ZoomIn': t('Zoom in'),
    'NavigationControl.ZoomOut': t('Zoom out'),
    'AttributionControl.ToggleAttribution': t('Map sources'),
  };
}
