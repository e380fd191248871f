// The drawing tool on our map: it listens on the map's canvas and gives what it draws to ours. Layers of MapLibre, which the
// tool's own adapter draws with, would go with every change of the map's style: the background changes with the page's scheme.
import type { Map as MapLibre } from 'maplibre-gl';
import { type GeoJSONStoreFeatures, type SetCursor, type TerraDrawChanges, TerraDrawExtend } from 'terra-draw';

/** Digits of degrees; the tool takes no positions with more. */
const SKETCH_DIGITS = 7;

export class SketchAdapter extends TerraDrawExtend.TerraDrawBaseAdapter {
  readonly #map: MapLibre;
  readonly #onFeatures: (features: readonly GeoJSONStoreFeatures[]) => void;

  constructor(map: MapLibre, onFeatures: (features: readonly GeoJSONStoreFeatures[]) => void) {
    super({ coordinatePrecision: SKETCH_DIGITS });
    this.#map = map;
    this.#onFeatures = onFeatures;
  }

  override register(callbacks: TerraDrawExtend.TerraDrawCallbacks): void {
    super.register(callbacks);
    callbacks.onReady?.();
  }

  getLngLatFromEvent(event: PointerEvent | MouseEvent): { lng: number; lat: number } {
    const { left, top } = this.#map.getContainer().getBoundingClientRect();
    return this.unproject(event.clientX - left, event.clientY - top);
  }

  getMapEventElement(): HTMLCanvasElement {
    return this.#map.getCanvas();
  }

  setDraggability(isEnabled: boolean): void {
    if (isEnabled) this.#map.dragPan.enable();
    else this.#map.dragPan.disable();
  }

  project(lng: number, lat: number): { x: number; y: number } {
    const { x, y } = this.#map.project([lng, lat]);
    return { x, y };
  }

  unproject(x: number, y: number): { lng: number; lat: number } {
    const { lng, lat } = this.#map.unproject([x, y]);
    return { lng, lat };
  }

  setCursor(cursor: Parameters<SetCursor>[0]): void {
    this.#map.getCanvas().style.cursor = cursor === 'unset' ? '' : cursor;
  }

  setDoubleClickToZoom(isEnabled: boolean): void {
    if (isEnabled) this.#map.doubleClickZoom.enable();
    else this.#map.doubleClickZoom.disable();
  }

  render({ created, updated, unchanged }: TerraDrawChanges): void {
    this.#onFeatures([...created, ...updated, ...unchanged]);
  }

  clear(): void {
    this._currentModeCallbacks?.onClear();
    this.#onFeatures([]);
  }
}
