// A map in the life of a component: loaded when it is first shown, closed with it.
import useMediaQuery from '@mui/material/useMediaQuery';
import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getMapSource, NO_MAP_SOURCE } from '../../api/fleet.ts';
import type { BackgroundState } from './background.ts';
import type { BaseMapOptions } from './baseMap.ts';
import { DARK_MAP, LIGHT_MAP, type MapScheme } from './mapScheme.ts';

export interface PageMap {
  setScheme(scheme: MapScheme): void;
  close(): void;
}

export type MapState<ShownMap extends PageMap = PageMap> =
  | { readonly kind: 'loading' }
  | {
      readonly kind: 'ready';
      readonly map: ShownMap;
      /** Undefined until one is drawn. */
      readonly background: BackgroundState | undefined;
      /** The view is so close that a reader expects streets. */
      readonly isStreetLevel: boolean;
    }
  | { readonly kind: 'failed' };

const LOADING = { kind: 'loading' } as const;

/** `load` brings the map's script, and gives what makes the map. */
export function useMap<ShownMap extends PageMap>(
  host: RefObject<HTMLElement | null>,
  load: () => Promise<(options: BaseMapOptions) => ShownMap>,
): MapState<ShownMap> {
  const [state, setState] = useState<MapState<ShownMap>>(LOADING);
  const isDark = useMediaQuery('(prefers-color-scheme: dark)');
  const scheme = isDark ? DARK_MAP : LIGHT_MAP;
  const texts = useMapTexts();
  const { i18n } = useTranslation();
  const change = (part: Partial<Pick<MapState & { kind: 'ready' }, 'background' | 'isStreetLevel'>>): void =>
    setState((at) => (at.kind === 'ready' ? { ...at, ...part } : at));
  const open = useEffectEvent(async (element: HTMLElement, isCurrent: () => boolean) => {
    const [create, source] = await Promise.all([load(), getMapSource()]);
    if (!isCurrent()) return undefined;
    return create({
      host: element,
      source: source.ok ? source.value : NO_MAP_SOURCE,
      language: i18n.language,
      scheme,
      texts,
      font: getComputedStyle(document.body).fontFamily,
      onBackground: (background) => change({ background }),
      onStreetLevel: (isStreetLevel) => change({ isStreetLevel }),
    });
  });
  useEffect(() => {
    if (host.current === null) return undefined;
    let isCurrent = true;
    let map: ShownMap | undefined;
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
  useEffect(() => map?.setScheme(scheme), [map, scheme]);
  return state;
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
