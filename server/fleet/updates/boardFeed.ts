// Live updates of the board for one member group. No sockets here.
import {
  countFleet,
  type FleetCounts,
  type LiveChange,
  type LiveDevice,
} from '../../../shared/protocol/api/liveUpdates.ts';
import type { BoardChange } from '../fleetBoard.ts';
import { encode, type GroupScope, type MessageBytes, type Topics } from './topicSource.ts';

export class BoardFeed {
  #scope: GroupScope;
  readonly #devices = new Map<string, LiveDevice>();
  /**
   * Changes since the last `takeChanges`, over several drains. A field that changed and changed back is sent with its
   * current value.
   */
  readonly #changes = new Map<string, LiveChange>();
  readonly #removed = new Set<string>();
  #counts: FleetCounts | undefined;
  #snapshots = new Map<string, MessageBytes>();

  constructor(scope: GroupScope, rows: Iterable<LiveDevice>) {
    this.#scope = scope;
    this.#fill(rows);
  }

  get scope(): GroupScope {
    return this.#scope;
  }

  get counts(): FleetCounts {
    this.#counts ??= countFleet(this.#devices.values());
    return this.#counts;
  }

  get devices(): ReadonlyMap<string, LiveDevice> {
    return this.#devices;
  }

  /** The member group owns other device groups now: every viewer needs a snapshot. */
  reset(scope: GroupScope, rows: Iterable<LiveDevice>): void {
    this.#scope = scope;
    this.#devices.clear();
    this.#changes.clear();
    this.#removed.clear();
    this.#fill(rows);
  }

  take(changes: readonly BoardChange[]): void {
    for (const change of changes) this.#takeOne(change);
  }

  /** The message with what changed since the last call, by topics; each text is made when it is first asked for. */
  takeChanges(): (topics: Topics) => MessageBytes | undefined {
    const devices = [...this.#changes.values()];
    const removed = [...this.#removed];
    this.#changes.clear();
    this.#removed.clear();
    const hasChanges = devices.length > 0 || removed.length > 0;
    const { counts } = this;
    return memoised((topics) => {
      if (!hasChanges || !(topics.has('devices') || topics.has('counts'))) return undefined;
      return encode({
        type: 'changes',
        ...(topics.has('devices') ? { devices, removed } : {}),
        ...(topics.has('counts') ? { counts } : {}),
      });
    });
  }

  snapshot(topics: Topics): MessageBytes {
    const key = keyOf(topics);
    const known = this.#snapshots.get(key);
    if (known !== undefined) return known;
    const made = encode({
      type: 'snapshot',
      ...(topics.has('devices') ? { devices: [...this.#devices.values()] } : {}),
      ...(topics.has('counts') ? { counts: this.counts } : {}),
    });
    this.#snapshots.set(key, made);
    return made;
  }

  #fill(rows: Iterable<LiveDevice>): void {
    for (const row of rows) if (this.#scope.deviceGroups.has(row.group)) this.#devices.set(row.id, row);
    this.#outdated();
  }

  #outdated(): void {
    this.#counts = undefined;
    if (this.#snapshots.size > 0) this.#snapshots = new Map();
  }

  #takeOne({ before, after, difference }: BoardChange): void {
    const wasIn = before !== undefined && this.#devices.has(before.id);
    const isIn = after !== undefined && this.#scope.deviceGroups.has(after.group);
    if (!wasIn && !isIn) return;
    this.#outdated();
    if (!isIn) {
      if (before !== undefined) this.#remove(before.id);
      return;
    }
    this.#devices.set(after.id, after);
    this.#removed.delete(after.id);
    const pending = this.#changes.get(after.id);
    this.#changes.set(after.id, wasIn && difference !== undefined ? { ...pending, ...difference } : after);
  }

  #remove(deviceId: string): void {
    this.#devices.delete(deviceId);
    this.#changes.delete(deviceId);
    this.#removed.add(deviceId);
  }
}

function memoised(make: (topics: Topics) => MessageBytes | undefined): (topics: Topics) => MessageBytes | undefined {
  const made = new Map<string, MessageBytes | undefined>();
  return (topics) => {
    const key = keyOf(topics);
    if (!made.has(key)) made.set(key, make(topics));
    return made.get(key);
  };
}

function keyOf(topics: Topics): string {
  return `${topics.has('devices')} ${topics.has('counts')}`;
}
