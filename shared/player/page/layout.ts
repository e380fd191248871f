import type { VideoLayout } from '../../protocol/api/system.ts';

/** How a page's tiles are laid out; the same at every width. */
export type TileLayout =
  /** One tile that is its whole container: framed pages. */
  | { readonly kind: 'fill' }
  /** One tile, the largest 16:9 that fits. */
  | { readonly kind: 'single' }
  | { readonly kind: 'grid'; readonly columns: number; readonly rows: number };

export interface LayoutFacts {
  /** 1 to 8. */
  readonly channels: number;
  /** The server's preference for seven and eight channels. */
  readonly preferred: VideoLayout | null | undefined;
  /** A single tile does. */
  readonly fillsContainer: boolean;
}

export function layoutOf({ channels, preferred, fillsContainer }: LayoutFacts): TileLayout {
  if (channels <= 1) return { kind: fillsContainer ? 'fill' : 'single' };
  const columns = columnsOf(channels, preferred);
  return { kind: 'grid', columns, rows: Math.ceil(channels / columns) };
}

function columnsOf(channels: number, preferred: VideoLayout | null | undefined): number {
  if (channels <= 4) return 2;
  if (channels <= 6) return 3;
  return preferred === '3x3' ? 3 : 4;
}

/** Whether the page stands in a frame, of whatever site. Comparing the two windows is allowed across origins. */
export function isFramed(scope: Window = window): boolean {
  return scope.self !== scope.top;
}
