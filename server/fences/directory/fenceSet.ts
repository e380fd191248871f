// The fences of one moment, ready for queries about places and devices. A set never changes: another one replaces it.
import { FenceGrid } from '../geometry/fenceGrid.ts';
import type { Box } from '../geometry/shape.ts';
import { covers, type DevicePlace } from './devicePlaces.ts';
import { isInForce, type PreparedFence } from './preparedFence.ts';

export class FenceSet {
  readonly #byId: ReadonlyMap<number, PreparedFence>;
  readonly #grid: FenceGrid<PreparedFence>;
  /** Fences that raise events for devices that were never in them. */
  readonly #watchedOutside: readonly PreparedFence[];
  readonly #places: ReadonlyMap<number, DevicePlace>;

  constructor(fences: readonly PreparedFence[], places: ReadonlyMap<number, DevicePlace>) {
    this.#byId = new Map(fences.map((fence) => [fence.id, fence]));
    this.#grid = new FenceGrid(fences);
    this.#watchedOutside = fences.filter(({ rules }) => rules.outsideMinutes > 0);
    this.#places = places;
  }

  get size(): number {
    return this.#byId.size;
  }

  get places(): Iterable<DevicePlace> {
    return this.#places.values();
  }

  find(id: number): PreparedFence | undefined {
    return this.#byId.get(id);
  }

  /** Undefined for a device that is unknown, disabled or deleted. */
  placeOf(incarnation: number): DevicePlace | undefined {
    return this.#places.get(incarnation);
  }

  /** Visits each fence of all member groups whose box may have a point in common with this one, once. */
  visit(box: Box, take: (fence: PreparedFence) => void): void {
    this.#grid.visit(box, take);
  }

  watchedOutside(device: DevicePlace): readonly PreparedFence[] {
    return this.#watchedOutside.length === 0 ? NONE : this.#watchedOutside.filter((fence) => covers(fence, device));
  }

  /** Names of the member group's fences that the place lies in; '' for none. */
  namesAt(
    memberGroup: number,
    place: { readonly latitude: number; readonly longitude: number },
    nowMs: number,
  ): string {
    const { latitude, longitude } = place;
    const names: string[] = [];
    this.#grid.visit({ south: latitude, west: longitude, north: latitude, east: longitude }, (fence) => {
      if (fence.memberGroup !== memberGroup || !isInForce(fence, nowMs)) return;
      if (fence.shape.contains(latitude, longitude)) names.push(fence.name);
    });
    return names.sort(byAlphabet).slice(0, MOST_NAMES).join(', ');
  }
}

const NONE: readonly PreparedFence[] = [];
/** Most names of overlapping fences for one place. */
const MOST_NAMES = 3;
const byAlphabet = new Intl.Collator('en').compare;
