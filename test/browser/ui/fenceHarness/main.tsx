// The map of the geofence page alone, with one outline that is drawn or changed.
import { emptyDraft, type ShapeDraft } from '../../../../pages/innerpage/fencesetting/edit/shapeDraft.ts';
import { FenceDrawing } from '../../../../pages/innerpage/fencesetting/map/fenceDrawing.ts';
import { FenceMap } from '../../../../pages/innerpage/fencesetting/map/fenceMap.ts';
import { NO_MAP_SOURCE } from '../../../../shared/api/fleet.ts';
import type { ShownFence } from '../../../../shared/protocol/api/fences/fences.ts';
import { DARK_MAP, LIGHT_MAP } from '../../../../shared/ui/map/mapScheme.ts';

export interface FenceHarness {
  /** Told by the drawing tool, the latest last. */
  readonly drafts: ShapeDraft[];
  readonly lives: ShapeDraft[];
  readonly selected: (number | undefined)[];
  edit(draft: ShapeDraft): void;
  empty(kind: ShapeDraft['kind']): ShapeDraft;
  show(fences: readonly ShownFence[]): void;
  setDark(isDark: boolean): void;
  stop(): void;
}

declare global {
  interface Window {
    fences: FenceHarness;
  }
}

const host = document.createElement('div');
host.style.cssText = 'position:absolute;inset:0;width:100vw;height:100vh';
document.body.append(host);

const drafts: ShapeDraft[] = [];
const lives: ShapeDraft[] = [];
const selected: (number | undefined)[] = [];
const map = new FenceMap({
  host,
  source: NO_MAP_SOURCE,
  language: 'en',
  scheme: LIGHT_MAP,
  font: 'sans-serif',
  texts: {},
  onBackground: (state) => host.setAttribute('data-background', state),
  onStreetLevel: () => undefined,
  onSelect: (fence) => selected.push(fence),
  onPoint: () => undefined,
});
const HOME: ShownFence = {
  id: 1,
  name: '',
  kind: 'circle',
  color: '#1a5fb4',
  geometry: { type: 'Point', coordinates: [121, 23] },
  radiusMeters: 5_000,
  widthMeters: 0,
};
const NOTHING = { selectedId: undefined, pointedId: undefined };
// The first that is shown is looked at.
map.show({ fences: [HOME], ...NOTHING });
map.show({ fences: [], ...NOTHING });
let stop: (() => void) | undefined;

window.fences = {
  drafts,
  lives,
  selected,
  empty: emptyDraft,
  show: (fences) => map.show({ fences, ...NOTHING }),
  edit: (draft) => {
    map.sketch({ fence: undefined, draft, color: '#1a5fb4', events: [] });
    stop ??= map.startDrawing(
      (own) =>
        new FenceDrawing({
          ...own,
          onLive: (live) => lives.push(live),
          onShape: (shape) => {
            drafts.push(shape);
            map.sketch({ fence: undefined, draft: shape, color: '#1a5fb4', events: [] });
          },
        }),
    );
  },
  setDark: (isDark) => map.setScheme(isDark ? DARK_MAP : LIGHT_MAP),
  stop: () => {
    stop?.();
    stop = undefined;
    map.sketch(undefined);
  },
};
