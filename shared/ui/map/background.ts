// Which background the map has: the configured style while it can be reached, else the built-in outlines.
import type { StyleSpecification } from 'maplibre-gl';
import type { MapScheme } from './mapScheme.ts';
import { loadWorld, worldStyle } from './worldStyle.ts';

export type Background =
  | { readonly kind: 'built-in'; readonly style: StyleSpecification }
  | { readonly kind: 'configured'; readonly style: StyleSpecification }
  /** The outlines stand in for a style that cannot be reached. */
  | { readonly kind: 'stand-in'; readonly style: StyleSpecification };

export interface BackgroundWish {
  /** '' for none. */
  readonly styleUrl: string;
  readonly scheme: MapScheme;
  /** An address that the style needs and that has failed: while it does, the style shows nothing. */
  readonly failedUrl?: string | undefined;
}

const TIMEOUT_MS = 8_000;

export async function loadBackground({ styleUrl, scheme, failedUrl }: BackgroundWish): Promise<Background> {
  const isWorthIt = styleUrl !== '' && (failedUrl === undefined || (await ask(failedUrl)) !== undefined);
  const configured = isWorthIt ? await fetchStyle(styleUrl) : undefined;
  if (configured !== undefined) return { kind: 'configured', style: configured };
  const standIn = await loadStandIn({ scheme });
  return styleUrl === '' ? { ...standIn, kind: 'built-in' } : standIn;
}

/** The outlines, whatever could be had. */
export async function loadStandIn({ scheme }: Pick<BackgroundWish, 'scheme'>): Promise<Background> {
  return { kind: 'stand-in', style: worldStyle(await loadWorld(), scheme) };
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
