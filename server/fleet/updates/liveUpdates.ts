// The feeds of all member groups with their viewers, driven by one clock.
import type { FleetCounts, LiveDevice, RecordKind } from '../../../shared/protocol/api/liveUpdates.ts';
import type { FleetBoard } from '../fleetBoard.ts';
import { encode, UpdateFeed } from './updateFeed.ts';
import type { UpdateViewer } from './updateViewer.ts';

export interface LiveUpdatesDeps {
  readonly board: Pick<FleetBoard, 'drain' | 'rows'>;
  /** The device groups that a member group owns now. */
  readonly deviceGroupsOf: (memberGroup: number) => Promise<readonly number[]>;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onFault: (error: Error) => void;
}

export interface GroupState {
  readonly counts: FleetCounts;
  readonly devices: ReadonlyMap<string, LiveDevice>;
}

export const TICK_MS = 1_000;
/** A member group may own other device groups at any time; screens follow within two seconds. */
const TICKS_A_CHECK = 2;

interface Watched {
  readonly feed: UpdateFeed;
  readonly viewers: Set<UpdateViewer>;
}

/** Stands for users without a member group. */
const NO_GROUP = 0;

export class LiveUpdates {
  readonly #deps: LiveUpdatesDeps;
  readonly #watched = new Map<number, Watched>();
  readonly #changedRecords = new Set<RecordKind>();
  #cancelTick: (() => void) | undefined;
  #ticks = 0;
  #isClosed = false;

  constructor(deps: LiveUpdatesDeps) {
    this.#deps = deps;
  }

  get viewerCount(): number {
    return [...this.#watched.values()].reduce((sum, { viewers }) => sum + viewers.size, 0);
  }

  /** Subscribes the viewer to a member group. Returns its removal. */
  async join(memberGroup: number | undefined, viewer: UpdateViewer): Promise<() => void> {
    const group = memberGroup ?? NO_GROUP;
    const owned = new Set(await this.#deviceGroupsOf(group));
    const watched = this.#watched.get(group) ?? this.#open(group, owned);
    watched.viewers.add(viewer);
    this.#schedule();
    return () => {
      watched.viewers.delete(viewer);
      if (watched.viewers.size === 0 && this.#watched.get(group) === watched) this.#watched.delete(group);
    };
  }

  /** Sends the viewer's snapshot without waiting for the next tick. */
  begin(memberGroup: number | undefined, viewer: UpdateViewer): void {
    const watched = this.#watched.get(memberGroup ?? NO_GROUP);
    if (watched !== undefined) viewer.update(watched.feed, () => undefined);
  }

  /** The current state of a member group's fleet. */
  async stateOf(memberGroup: number | undefined): Promise<GroupState> {
    const group = memberGroup ?? NO_GROUP;
    const owned = new Set(await this.#deviceGroupsOf(group));
    this.#drain();
    const watched = this.#watched.get(group);
    if (watched?.feed.ownsSame(owned) === true) return watched.feed;
    return new UpdateFeed(group, owned, this.#deps.board.rows);
  }

  /** Records of these kinds were edited. */
  tellChanged(records: readonly RecordKind[]): void {
    if (this.#watched.size === 0) return;
    for (const record of records) this.#changedRecords.add(record);
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelTick?.();
    this.#watched.clear();
  }

  #open(group: number, owned: ReadonlySet<number>): Watched {
    this.#drain();
    const watched = { feed: new UpdateFeed(group, owned, this.#deps.board.rows), viewers: new Set<UpdateViewer>() };
    this.#watched.set(group, watched);
    return watched;
  }

  #drain(): void {
    const changes = this.#deps.board.drain();
    if (changes.length === 0) return;
    for (const { feed } of this.#watched.values()) feed.take(changes);
  }

  #schedule(): void {
    if (this.#isClosed || this.#watched.size === 0) return;
    this.#cancelTick ??= this.#deps.runAfter(TICK_MS, () => {
      this.#cancelTick = undefined;
      this.#tick();
      this.#schedule();
    });
  }

  #tick(): void {
    if (++this.#ticks % TICKS_A_CHECK === 0) this.#checkOwners();
    this.#drain();
    const changed = [...this.#changedRecords].sort();
    this.#changedRecords.clear();
    const message = changed.length === 0 ? undefined : encode({ type: 'changed', records: changed });
    for (const { feed, viewers } of this.#watched.values()) {
      const changes = feed.takeChanges();
      for (const viewer of viewers) {
        viewer.update(feed, changes);
        if (message !== undefined) viewer.tellChanged(message);
      }
    }
  }

  #checkOwners(): void {
    for (const watched of this.#watched.values()) {
      this.#checkOwner(watched).catch((cause: unknown) =>
        this.#deps.onFault(new Error('the device groups of a member group could not be asked for', { cause })),
      );
    }
  }

  async #checkOwner({ feed, viewers }: Watched): Promise<void> {
    const owned = new Set(await this.#deviceGroupsOf(feed.memberGroup));
    if (feed.ownsSame(owned)) return;
    this.#drain();
    feed.reset(owned, this.#deps.board.rows);
    for (const viewer of viewers) viewer.startAnew();
  }

  async #deviceGroupsOf(group: number): Promise<readonly number[]> {
    return group === NO_GROUP ? [] : this.#deps.deviceGroupsOf(group);
  }
}
