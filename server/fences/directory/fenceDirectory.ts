// The fences of all member groups in memory, because every position asks for them.
import { createHash } from 'node:crypto';
import { inBackground } from '../../faults/background.ts';
import { Rounds } from '../../faults/rounds.ts';
import type { FencePlaceStore, FencePlaces } from '../../store/fences/fencePlaces.ts';
import { devicePlacesOf } from './devicePlaces.ts';
import { FenceSet } from './fenceSet.ts';
import type { FenceSource, FenceVersion, StoredFence } from './fenceSource.ts';
import { type PreparedFence, prepareFence } from './preparedFence.ts';

export interface FenceDirectoryDeps {
  readonly fences: FenceSource;
  readonly places: FencePlaceStore;
  /** Called when another set of fences is in use. */
  readonly onReloaded: (set: FenceSet) => void;
  readonly now: () => number;
  /** Lets waiting work have its turn. */
  readonly nextTurn: () => Promise<unknown>;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onFault: (error: Error) => void;
}

/** This gateway's own changes reload at once; the interval is for changes by another program. */
const RELOAD_INTERVAL_MS = 60_000;
/** Combines several edits in a row, such as an import, into one reload. */
const RELOAD_DELAY_MS = 300;
/** Fences that are read and prepared before anything else has its turn: some milliseconds with outlines of the most vertices. */
const FENCES_AT_ONCE = 10;

export class FenceDirectory {
  readonly #deps: FenceDirectoryDeps;
  #set = new FenceSet([], new Map());
  /** Fingerprint of the devices' places when the set was made. */
  #placed = '';
  /** Prepared fences by id: each version is read and prepared once. */
  #prepared: Prepared = new Map();
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
    const [versions, placed] = await Promise.all([fences.versions(), places.places()]);
    const prepared = await this.#prepare(versions);
    // When two edits happen at once, the answer to the first may come last.
    if (turn < this.#answered) return;
    const isFirst = this.#answered === 0;
    this.#answered = turn;
    const devicesAre = fingerprint(placed);
    // Most rounds find no change: another set would mean that every device is evaluated again.
    if (!isFirst && devicesAre === this.#placed && isSame(prepared, this.#prepared)) return;
    this.#placed = devicesAre;
    this.#prepared = prepared;
    const inUse = [...prepared.values()].flatMap(({ fence }) => fence ?? []);
    this.#set = new FenceSet(inUse, devicePlacesOf(placed));
    onReloaded(this.#set);
  }

  /** Reloads in the background after fences, devices or groups were edited. */
  reloadSoon(): void {
    const { runAfter, onFault } = this.#deps;
    if (this.#cancelSoon !== undefined) return;
    this.#cancelSoon = runAfter(RELOAD_DELAY_MS, () => {
      this.#cancelSoon = undefined;
      inBackground('the fences could not be read', this.reload(), onFault);
    });
  }

  /** Gives the names of the member group's fences that a place lies in, '' for none. */
  async placesOf(memberGroup: number): Promise<(lat: number, lng: number) => string> {
    const [set, nowMs] = [this.#set, this.#deps.now()];
    return (latitude, longitude) => set.namesAt(memberGroup, { latitude, longitude }, nowMs);
  }

  async close(): Promise<void> {
    this.#cancelSoon?.();
    await this.#rounds?.close();
  }

  async #prepare(versions: readonly FenceVersion[]): Promise<Prepared> {
    const known = this.#prepared;
    const others = versions.filter(({ id, version }) => known.get(id)?.version !== version);
    const prepared = new Map<number, PreparedVersion>();
    for (const { id } of versions) prepared.set(id, known.get(id) ?? MISSING);
    for (let start = 0; start < others.length; start += FENCES_AT_ONCE) {
      const ids = others.slice(start, start + FENCES_AT_ONCE).map(({ id }) => id);
      // Fences that were deleted meanwhile aren't in the answer.
      for (const id of ids) prepared.delete(id);
      for (const fence of await this.#deps.fences.some(ids))
        prepared.set(fence.id, { version: fence.version, fence: prepareFence(fence) });
      await this.#deps.nextTurn();
    }
    return prepared;
  }
}

interface PreparedVersion {
  readonly version: number;
  /** Undefined: the fence is off. */
  readonly fence: PreparedFence | undefined;
}

type Prepared = ReadonlyMap<number, PreparedVersion>;

const MISSING: PreparedVersion = { version: 0, fence: undefined };

function isSame(left: Prepared, right: Prepared): boolean {
  return left.size === right.size && [...left].every(([id, { version }]) => right.get(id)?.version === version);
}

/** Gives the same text for the same devices in the same groups. */
function fingerprint({ devices, parents, owners }: FencePlaces): string {
  const hash = createHash('sha256');
  hash.update(JSON.stringify([devices, [...parents], [...owners].map(([group, each]) => [group, [...each]])]));
  return hash.digest('base64');
}

/** For a program that reads reports without an engine: gives names like `placesOf`. */
export function placesAmong(
  stored: readonly StoredFence[],
  memberGroup: number,
  nowMs: number,
): (lat: number, lng: number) => string {
  const fences = stored.flatMap((fence) => (fence.memberGroup === memberGroup ? (prepareFence(fence) ?? []) : []));
  const set = new FenceSet(fences, new Map());
  return (latitude, longitude) => set.namesAt(memberGroup, { latitude, longitude }, nowMs);
}
