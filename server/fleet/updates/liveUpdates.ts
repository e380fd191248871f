// The member groups whose pages look on, and the one clock that all of them are told by.

import { NO_GROUP } from '../../noGroup.ts';
import { type DeviceGroupsOf, readScope } from './groupScope.ts';
import { GroupUpdates } from './groupUpdates.ts';
import type { TopicSource, TopicSources } from './topicSource.ts';
import type { UpdateViewer } from './updateViewer.ts';

export interface LiveUpdatesDeps {
  readonly sources: TopicSources;
  readonly deviceGroupsOf: DeviceGroupsOf;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onFault: (error: Error) => void;
}

const TICK_MS = 1_000;
/** A member group may own other device groups at any time; screens follow within two seconds. */
const TICKS_A_CHECK = 2;

export class LiveUpdates {
  readonly #deps: LiveUpdatesDeps;
  readonly #watched = new Map<number, GroupUpdates>();
  #cancelTick: (() => void) | undefined;
  #ticks = 0;
  #isClosed = false;

  constructor(deps: LiveUpdatesDeps) {
    this.#deps = deps;
    for (const source of new Set(Object.values(deps.sources))) source.onDue?.(() => this.#deliver(source));
  }

  get viewerCount(): number {
    return [...this.#watched.values()].reduce((sum, { viewers }) => sum + viewers.size, 0);
  }

  /** Subscribes the viewer to a member group. Returns its removal. */
  async join(memberGroup: number | undefined, viewer: UpdateViewer): Promise<() => void> {
    const scope = await readScope(memberGroup, this.#deps.deviceGroupsOf);
    const group = this.#watched.get(scope.memberGroup) ?? new GroupUpdates(scope, this.#deps.sources);
    this.#watched.set(group.memberGroup, group);
    group.viewers.add(viewer);
    this.#schedule();
    return () => {
      group.viewers.delete(viewer);
      if (group.viewers.size === 0) this.#leave(group);
    };
  }

  /** Sends the viewer's snapshot without waiting for the next tick. */
  begin(memberGroup: number | undefined, viewer: UpdateViewer): void {
    this.#watched.get(memberGroup ?? NO_GROUP)?.begin(viewer);
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelTick?.();
    for (const group of this.#watched.values()) group.close();
    this.#watched.clear();
  }

  #leave(group: GroupUpdates): void {
    if (this.#watched.get(group.memberGroup) !== group) return;
    this.#watched.delete(group.memberGroup);
    group.close();
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
    for (const source of new Set(Object.values(this.#deps.sources))) source.gather?.();
    for (const group of this.#watched.values()) group.tick();
  }

  #deliver(source: TopicSource): void {
    for (const group of this.#watched.values()) group.deliver(source);
  }

  #checkOwners(): void {
    for (const group of this.#watched.values()) {
      this.#checkOwner(group).catch((cause: unknown) =>
        this.#deps.onFault(new Error('the device groups of a member group could not be asked for', { cause })),
      );
    }
  }

  async #checkOwner(group: GroupUpdates): Promise<void> {
    group.setScope(await readScope(group.memberGroup, this.#deps.deviceGroupsOf));
  }
}
