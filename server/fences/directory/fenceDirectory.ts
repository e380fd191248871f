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
/** Outlines of the most vertices that are read, and prepared, before anything else has its turn: some milliseconds. */
const FENCES_AT_ONCE = 10;

export class FenceDirectory {
  readonly #deps: FenceDirectoryDeps;
  #set = new FenceSet([], new Map());
  /** Where devices were when it was made. */
  #placed = '';
  /** By id: what has the same version is read and prepared once. */
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
    // Of two edits at once, the answer of the first may come last.
    if (turn < this.#answered) return;
    const isFirst = this.#answered === 0;
    this.#answered = turn;
    const devicesAre = fingerprint(placed);
    // Most rounds find nothing: another set would have every device looked at.
    if (!isFirst && devicesAre === this.#placed && isSame(prepared, this.#prepared)) return;
    this.#placed = devicesAre;
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

  async #prepare(versions: readonly FenceVersion[]): Promise<Prepared> {
    const known = this.#prepared;
    const others = versions.filter(({ id, version }) => known.get(id)?.version !== version);
    const prepared = new Map<number, PreparedVersion>();
    for (const { id } of versions) prepared.set(id, known.get(id) ?? MISSING);
    for (let start = 0; start < others.length; start += FENCES_AT_ONCE) {
      const ids = others.slice(start, start + FENCES_AT_ONCE).map(({ id }) => id);
      // What is deleted by now isn't among them.
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
  /** Undefined: it is off. */
  readonly fence: PreparedFence | undefined;
}

type Prepared = ReadonlyMap<number, PreparedVersion>;

const MISSING: PreparedVersion = { version: 0, fence: undefined };

function isSame(left: Prepared, right: Prepared): boolean {
  return left.size === right.size && [...left].every(([id, { version }]) => right.get(id)?.version === version);
}

/** The same text for the same devices in the same groups. */
function fingerprint({ devices, parents, owners }: FencePlaces): string {
  const hash = createHash('sha256');
  hash.update(JSON.stringify([devices, [...parents], [...owners].map(([group, each]) => [group, [...each]])]));
  return hash.digest('base64');
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
