// Which background the map has: the configured style while it can be reached, else the built-in outlines.
import type { StyleSpecification } from 'maplibre-gl';
import type { MapScheme } from './mapScheme.ts';
import { loadWorld, worldStyle } from './worldStyle.ts';

export type Background =
  | { readonly kind: 'built-in'; readonly style: StyleSpecification }
  | { readonly kind: 'configured'; readonly style: StyleSpecification }
  /** The outlines stand in for a style that cannot be reached. */
  | { readonly kind: 'stand-in'; readonly style: StyleSpecification };

const STYLE_TIMEOUT_MS = 8_000;

/** `styleUrl`: '' for none. */
export async function loadBackground(styleUrl: string, scheme: MapScheme): Promise<Background> {
  const configured = styleUrl === '' ? undefined : await fetchStyle(styleUrl);
  if (configured !== undefined) return { kind: 'configured', style: configured };
  const style = worldStyle(await loadWorld(), scheme);
  return { kind: styleUrl === '' ? 'built-in' : 'stand-in', style };
}

async function fetchStyle(url: string): Promise<StyleSpecification | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(STYLE_TIMEOUT_MS), credentials: 'omit' });
    if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
    return (await response.json()) as StyleSpecification;
  } catch (error) {
    console.warn('the style of the map could not be loaded', error);
    return undefined;
  }
}
