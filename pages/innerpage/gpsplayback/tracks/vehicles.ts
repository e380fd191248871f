// The places of the devices at the clock's moment. Plain TypeScript: it runs for every frame of the screen.
import { getTrackLine } from '../../../../shared/api/tracks.ts';
import { placeOnPath, type TrackPath, type TrackPlace } from '../../../../shared/ui/map/tracks/trackPath.ts';
import { nextMoment, previousMoment } from '../clock/ranges.ts';
import { NearLine } from './nearLine.ts';

export class Vehicles {
  readonly #near = new Map<string, NearLine>();
  #drawn: ReadonlyMap<string, TrackPath | undefined> = new Map();
  /** Called when a place may be known better than before. */
  onLoaded: () => void = () => undefined;

  /** The lines that the map draws, by device; they stand in until the points around the clock are known. */
  setDrawn(paths: ReadonlyMap<string, TrackPath | undefined>): void {
    this.#drawn = paths;
    for (const [deviceId, near] of this.#near) {
      if (paths.has(deviceId)) continue;
      near.close();
      this.#near.delete(deviceId);
    }
  }

  /** Undefined for a device without positions. */
  placeAt(deviceId: string, atMs: number): TrackPlace | undefined {
    const drawn = this.#drawn.get(deviceId);
    const near = this.#nearOf(deviceId).around(atMs);
    const place = near === undefined ? undefined : placeOnPath(near, atMs);
    if (place !== undefined && !place.isSilent) return place;
    // A silence longer than the part: the last report before it stands in the drawn line.
    return (drawn && placeOnPath(drawn, atMs)) ?? place;
  }

  /** The reported point before or after a moment. */
  stepFrom(deviceId: string, atMs: number, direction: -1 | 1): number | undefined {
    const step = direction < 0 ? previousMoment : nextMoment;
    const near = this.#nearOf(deviceId).around(atMs)?.atMs ?? [];
    return step(near, atMs) ?? step(this.#drawn.get(deviceId)?.atMs ?? [], atMs);
  }

  /** Safe to call twice. */
  close(): void {
    for (const near of this.#near.values()) near.close();
    this.#near.clear();
  }

  #nearOf(deviceId: string): NearLine {
    const known = this.#near.get(deviceId);
    if (known !== undefined) return known;
    const made = new NearLine(
      ({ fromMs, toMs }, signal) => getTrackLine({ deviceid: deviceId, from: fromMs, to: toMs }, signal),
      () => this.onLoaded(),
    );
    this.#near.set(deviceId, made);
    return made;
  }
}
