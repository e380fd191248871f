// Which background the map has: the configured one while it can be had, else the built-in outlines.
import type { StyleSpecification } from 'maplibre-gl';
import type { MapSource } from '../../protocol/api/fleet.ts';
import type { MapScheme } from './mapScheme.ts';
import { openStreetMap } from './streets/streetMap.ts';
import { streetStyle } from './streets/streetStyle.ts';
import { loadWorld, worldStyle } from './worldStyle.ts';

/**
 * `built-in`: the outlines, where nothing else is configured. `configured`: the style of another site. `streets`: the street
 * map of this site. The other two: the outlines in place of a style, or of a street map, that can't be had.
 */
export type BackgroundState = 'built-in' | 'configured' | 'streets' | 'stand-in' | 'streets-stand-in';

export interface Background {
  readonly kind: BackgroundState;
  readonly style: StyleSpecification;
}

export interface LoadBackgroundOptions {
  readonly source: MapSource;
  readonly scheme: MapScheme;
  /** Language of the page, for the names on the street map. */
  readonly language: string;
  /** CSS font family of its names. */
  readonly font: string;
  /** An address that the background needs and that has failed: while it does, the background shows nothing. */
  readonly failedUrl?: string | undefined;
}

const TIMEOUT_MS = 8_000;

export async function loadBackground(options: LoadBackgroundOptions): Promise<Background> {
  const { styleUrl, pmtilesUrl } = options.source;
  const loaded = styleUrl !== '' ? await loadConfigured(options) : await loadStreets(options);
  if (loaded !== undefined) return loaded;
  const standIn = await loadStandIn(options);
  return styleUrl === '' && pmtilesUrl === '' ? { ...standIn, kind: 'built-in' } : standIn;
}

/** Loads the outlines, whatever else could be had. */
export async function loadStandIn({ source, scheme }: LoadBackgroundOptions): Promise<Background> {
  const kind = source.styleUrl !== '' || source.pmtilesUrl === '' ? 'stand-in' : 'streets-stand-in';
  return { kind, style: worldStyle(await loadWorld(), scheme) };
}

async function loadConfigured({ source, failedUrl }: LoadBackgroundOptions): Promise<Background | undefined> {
  if (failedUrl !== undefined && (await ask(failedUrl)) === undefined) return undefined;
  const style = await fetchStyle(source.styleUrl);
  return style === undefined ? undefined : { kind: 'configured', style };
}

async function loadStreets(options: LoadBackgroundOptions): Promise<Background | undefined> {
  const { pmtilesUrl } = options.source;
  if (pmtilesUrl === '') return undefined;
  const [map, world] = await Promise.all([openStreetMap(pmtilesUrl), loadWorld()]);
  return map === undefined ? undefined : { kind: 'streets', style: streetStyle(map, { ...options, world }) };
}

async function fetchStyle(url: string): Promise<StyleSpecification | undefined> {
  const response = await ask(url);
  return response?.json().catch((error: unknown) => {
    console.warn('the style of the map cannot be read', error);
    return undefined;
  });
}

async function ask(url: string): Promise<Response | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), credentials: 'omit' });
    if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
    return response;
  } catch (error) {
    console.warn('the map could not load', url, error);
    return undefined;
  }
}
