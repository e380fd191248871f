// Drawing and changing one outline by pointer. Owns the drawing tool; loaded when an outline is first edited.
import type { Map as MapLibre } from 'maplibre-gl';
import {
  type GeoJSONStoreFeatures,
  TerraDraw,
  TerraDrawCircleMode,
  TerraDrawLineStringMode,
  TerraDrawPolygonMode,
  TerraDrawRectangleMode,
  TerraDrawSelectMode,
} from 'terra-draw';
import { sameValue } from '../../../../shared/ui/form/formState.ts';
import type { MapView } from '../../../../shared/ui/map/deviceLayer.ts';
import { emptyDraft, hasVertices, type ShapeDraft } from '../edit/shapeDraft.ts';
import { drawSketch, type SketchStyle } from './drawSketch.ts';
import { SketchAdapter } from './sketchAdapter.ts';
import { draftOfSketch, SKETCH_MODES, type SketchGeometry, sketchOf } from './sketchShapes.ts';

export interface FenceDrawingOptions {
  readonly map: MapLibre;
  /** Called when something has to be drawn again. */
  readonly onRedraw: () => void;
  /** Called while something is being drawn or dragged. */
  readonly onLive: (draft: ShapeDraft) => void;
  /** Called when a step is done: a shape drawn, a vertex or all of it moved, a vertex added or deleted. */
  readonly onShape: (draft: ShapeDraft) => void;
}

const VERTICES = { midpoints: { draggable: true }, draggable: true, deletable: true } as const;
const MODE_NAMES: readonly string[] = Object.values(SKETCH_MODES);

export class FenceDrawing {
  readonly #options: FenceDrawingOptions;
  readonly #draw: TerraDraw;
  #features: readonly GeoJSONStoreFeatures[] = [];
  /** The outline as the page knows it. */
  #draft: ShapeDraft = emptyDraft('polygon');
  /** The outline while it is drawn or dragged. */
  #live: ShapeDraft | undefined;

  constructor(options: FenceDrawingOptions) {
    this.#options = options;
    const adapter = new SketchAdapter(options.map, (features) => {
      this.#features = features;
      options.onRedraw();
    });
    this.#draw = new TerraDraw({ adapter, modes: createModes() });
    this.#draw.start();
    this.#draw.on('finish', (id, { action }) => this.#finished(id, action === 'draw'));
    this.#draw.on('change', (ids, _type, context) => {
      if (context === undefined || !('origin' in context)) this.#changed(ids);
    });
  }

  /** Shows the current outline; an empty one is drawn from the start. An outline that the tool itself has reported is left alone. */
  show(draft: ShapeDraft): void {
    if (sameValue(draft, this.#draft) && this.#features.length > 0) return;
    this.#put(draft);
  }

  /** The outline as it looks now. */
  get shown(): ShapeDraft {
    return this.#live ?? this.#draft;
  }

  draw(context: CanvasRenderingContext2D, view: MapView, style: SketchStyle): void {
    drawSketch(context, this.#features, view, style);
  }

  /** The map isn't closed: it belongs to its owner. */
  close(): void {
    this.#draw.stop();
  }

  #put(draft: ShapeDraft): void {
    this.#draft = draft;
    this.#live = undefined;
    this.#draw.clear();
    const geometry = sketchOf(draft);
    if (geometry === undefined) {
      this.#draw.setMode(SKETCH_MODES[draft.kind]);
      return;
    }
    this.#draw.setMode('select');
    const properties = { mode: SKETCH_MODES[draft.kind] };
    const [added] = this.#draw.addFeatures([{ type: 'Feature', geometry: mutableOf(geometry), properties }]);
    if (added?.valid === true && added.id !== undefined) this.#draw.selectFeature(added.id);
  }

  #finished(id: string | number, isNew: boolean): void {
    const draft = this.#read(id);
    if (draft === undefined) return;
    this.#draft = draft;
    this.#live = undefined;
    this.#options.onShape(draft);
    // A vertex between two others is reported when its drag begins: if the outline were replaced then, the pointer would lose it.
    if (!isNew && hasVertices(draft.kind)) return;
    // The tool continues with the feature until its event is over. Circles and rectangles are corrected after that.
    queueMicrotask(() => {
      if (this.#draw.enabled && this.#draft === draft) this.#put(draft);
    });
  }

  #changed(ids: readonly (string | number)[]): void {
    for (const id of ids) {
      const draft = this.#read(id);
      if (draft === undefined) continue;
      this.#live = draft;
      this.#options.onLive(draft);
    }
  }

  /** Undefined for a handle, and for a feature that is gone. */
  #read(id: string | number): ShapeDraft | undefined {
    if (!this.#draw.hasFeature(id)) return undefined;
    const feature = this.#draw.getSnapshotFeature(id);
    if (feature === undefined || feature.geometry.type === 'Point') return undefined;
    if (!MODE_NAMES.includes(String(feature.properties.mode))) return undefined;
    return draftOfSketch(feature.geometry, this.#draft);
  }
}

function createModes() {
  const select = new TerraDrawSelectMode({
    allowManualDeselection: false,
    // The page has its own keys for these actions, which the tool's keys would do without undo.
    keyEvents: null,
    // Every movement of this number is skipped, and the last one may be among them: with this value, none is skipped.
    dragEventThrottle: Number.MAX_SAFE_INTEGER,
    flags: {
      polygon: { feature: { draggable: true, coordinates: VERTICES } },
      linestring: { feature: { draggable: true, coordinates: VERTICES } },
      circle: { feature: { draggable: true, coordinates: { resizable: 'center-fixed' } } },
      rectangle: { feature: { draggable: true, coordinates: { resizable: 'opposite' } } },
    },
  });
  return [
    select,
    new TerraDrawPolygonMode(),
    new TerraDrawLineStringMode(),
    new TerraDrawRectangleMode(),
    new TerraDrawCircleMode({ projection: 'globe' }),
  ];
}

type MutableGeometry = Extract<GeoJSONStoreFeatures['geometry'], { type: 'Polygon' | 'LineString' }>;

function mutableOf(geometry: SketchGeometry): MutableGeometry {
  if (geometry.type === 'LineString')
    return { type: 'LineString', coordinates: geometry.coordinates.map((position) => [...position]) };
  return {
    type: 'Polygon',
    coordinates: geometry.coordinates.map((ring) => ring.map((position) => [...position])),
  };
}
