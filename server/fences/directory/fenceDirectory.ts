// The fences of all member groups in memory, because every position asks for them.
import { inBackground } from '../../faults/background.ts';
import { Rounds } from '../../faults/rounds.ts';
import type { FencePlaceStore } from '../../store/fences/fencePlaces.ts';
import { devicePlacesOf } from './devicePlaces.ts';
import { FenceSet } from './fenceSet.ts';
import type { FenceSource, StoredFence } from './fenceSource.ts';
import { type PreparedFence, prepareFence } from './preparedFence.ts';

export interface FenceDirectoryDeps {
  readonly fences: FenceSource;
  readonly places: FencePlaceStore;
  /** Other fences hold from now on. */
  readonly onReloaded: (set: FenceSet) => void;
  readonly now: () => number;
  /** Lets what waits have its turn. */
  readonly nextTurn: () => Promise<unknown>;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onFault: (error: Error) => void;
}

/** This gateway's own changes reload at once; the interval is for changes by another program. */
const RELOAD_INTERVAL_MS = 60_000;
/** Combines several edits in a row, such as an import, into one reload. */
const RELOAD_DELAY_MS = 300;
/** Vertices that are prepared before anything else has its turn: some milliseconds. */
const VERTICES_AT_ONCE = 20_000;

export class FenceDirectory {
  readonly #deps: FenceDirectoryDeps;
  #set = new FenceSet([], new Map());
  /** By id, with those that are off as undefined: what has the same version is prepared once. */
  #prepared: ReadonlyMap<number, { readonly version: number; readonly fence: PreparedFence | undefined }> = new Map();
  #rounds: Rounds | undefined;
  #cancelSoon: (() => void) | undefined;
  #asked = 0;
  #answered = 0;

  constructor(deps: FenceDirectoryDeps) {
    this.#deps = deps;
  }

  get set(): FenceSet {
    return this.#set;
  }

  async start(): Promise<void> {
    await this.reload();
    this.#rounds = new Rounds({
      ...this.#deps,
      work: () => this.reload(),
      failure: 'the fences could not be read',
      intervalMs: RELOAD_INTERVAL_MS,
      delayMs: RELOAD_INTERVAL_MS,
    });
  }

  async reload(): Promise<void> {
    const { fences, places, onReloaded } = this.#deps;
    const turn = ++this.#asked;
    const [stored, placed] = await Promise.all([fences.all(), places.places()]);
    const prepared = await this.#prepare(stored);
    // Of two edits at once, the answer of the first may come last.
    if (turn < this.#answered) return;
    this.#answered = turn;
    this.#prepared = prepared;
    const inUse = [...prepared.values()].flatMap(({ fence }) => fence ?? []);
    this.#set = new FenceSet(inUse, devicePlacesOf(placed));
    onReloaded(this.#set);
  }

  /** Fences, devices or groups were edited; in the background. */
  reloadSoon(): void {
    const { runAfter, onFault } = this.#deps;
    if (this.#cancelSoon !== undefined) return;
    this.#cancelSoon = runAfter(RELOAD_DELAY_MS, () => {
      this.#cancelSoon = undefined;
      inBackground('the fences could not be read', this.reload(), onFault);
    });
  }

  /** Places are called by the names of the member group's fences that they lie in, '' for none. */
  async placesOf(memberGroup: number): Promise<(lat: number, lng: number) => string> {
    const [set, nowMs] = [this.#set, this.#deps.now()];
    return (latitude, longitude) => set.namesAt(memberGroup, { latitude, longitude }, nowMs);
  }

  async close(): Promise<void> {
    this.#cancelSoon?.();
    await this.#rounds?.close();
  }

  async #prepare(stored: readonly StoredFence[]) {
    const prepared = new Map<number, { readonly version: number; readonly fence: PreparedFence | undefined }>();
    let vertices = 0;
    for (const fence of stored) {
      const known = this.#prepared.get(fence.id);
      if (known?.version === fence.version) {
        prepared.set(fence.id, known);
        continue;
      }
      prepared.set(fence.id, { version: fence.version, fence: prepareFence(fence) });
      vertices += verticesOf(fence);
      if (vertices < VERTICES_AT_ONCE) continue;
      vertices = 0;
      await this.#deps.nextTurn();
    }
    return prepared;
  }
}

function verticesOf({ content: { geometry } }: StoredFence): number {
  return geometry.type === 'Polygon' ? (geometry.coordinates[0]?.length ?? 1) : geometry.coordinates.length;
}

/** For a program that reads reports without an engine: names as `placesOf` gives them. */
export function placesAmong(
  stored: readonly StoredFence[],
  memberGroup: number,
  nowMs: number,
): (lat: number, lng: number) => string {
  const fences = stored.flatMap((fence) => (fence.memberGroup === memberGroup ? (prepareFence(fence) ?? []) : []));
  const set = new FenceSet(fences, new Map());
  return (latitude, longitude) => set.namesAt(memberGroup, { latitude, longitude }, nowMs);
}
