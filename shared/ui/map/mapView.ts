/** What of the world is in the window. */
export interface MapView {
  readonly lat: number;
  readonly lng: number;
  readonly zoom: number;
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
}
