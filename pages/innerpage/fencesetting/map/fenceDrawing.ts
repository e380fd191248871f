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
  /** Something is to be drawn anew. */
  readonly onRedraw: () => void;
  /** While something is being drawn or dragged. */
  readonly onLive: (draft: ShapeDraft) => void;
  /** A step is done: a shape drawn, a vertex or all of it moved, a vertex added or deleted. */
  readonly onShape: (draft: ShapeDraft) => void;
}

const VERTICES = { midpoints: { draggable: true }, draggable: true, deletable: true } as const;
const MODE_NAMES: readonly string[] = Object.values(SKETCH_MODES);

export class FenceDrawing {
  readonly #options: FenceDrawingOptions;
  readonly #draw: TerraDraw;
  #features: readonly GeoJSONStoreFeatures[] = [];
  /** What the page knows. */
  #draft: ShapeDraft = emptyDraft('polygon');
  /** While something is drawn or dragged. */
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

  /** The outline as it is now: drawn from the start where it is empty. What the tool itself has told is left alone. */
  show(draft: ShapeDraft): void {
    if (sameValue(draft, this.#draft) && this.#features.length > 0) return;
    this.#put(draft);
  }

  /** As it looks now. */
  get shown(): ShapeDraft {
    return this.#live ?? this.#draft;
  }

  draw(context: CanvasRenderingContext2D, view: MapView, style: SketchStyle): void {
    drawSketch(context, this.#features, view, style);
  }

  /** The map stays its owner's. */
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
    // A vertex between two others is told when its drag begins: what is put anew then would be lost to the pointer.
    if (!isNew && hasVertices(draft.kind)) return;
    // The tool goes on with the feature until its event is over. Circles and rectangles are put right then.
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

  /** Undefined for a handle, and for what is gone. */
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
    // The page has its own keys for what these would do without undo.
    keyEvents: null,
    // Each movement of that number is left out, and the last one may be among them: none is.
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
