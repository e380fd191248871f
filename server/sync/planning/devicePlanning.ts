// Plans the items of rules, device by device: after it has sent its list, once the files that it was writing then are finished, after rules
// were edited, and every hour.
import { wallMs } from '../../../shared/protocol/time.ts';
import type { TimeRange } from '../../../shared/protocol/timeRanges.ts';
import type { DeviceClock } from '../../../shared/protocol/tracks/deviceClock.ts';
import type { OnFault } from '../../faults/onFault.ts';
import { Rounds } from '../../faults/rounds.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { SyncItemStore } from '../../store/sync/syncItems.ts';
import type { StoredSyncRule } from '../../store/sync/syncRules.ts';
import type { SyncDevice, SyncEvent, SyncSourceStore } from '../../store/sync/syncSources.ts';
import type { SyncDirectory } from '../directory.ts';
import { type EventSpan, nextSettledMs, planRules } from '../plan/planRules.ts';
import { takenTime } from '../plan/takenTime.ts';
import type { DeviceSources } from '../sources/deviceSources.ts';

export interface ClipLengths {
  readonly beforeS: number;
  readonly afterS: number;
}

export interface DevicePlanningDeps {
  readonly directory: Pick<SyncDirectory, 'device' | 'devices' | 'rulesFor'>;
  readonly items: Pick<SyncItemStore, 'add' | 'taken'>;
  readonly events: Pick<SyncSourceStore, 'events'>;
  readonly sources: DeviceSources;
  readonly channelsOf: (device: SyncDevice) => readonly number[];
  readonly clipOf: (type: string) => ClipLengths;
  /** Whether the type's unit is a channel. */
  readonly isOfChannel: (type: string) => boolean;
  readonly onPlanned: (device: SyncDevice) => void;
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onFault: OnFault;
  readonly onLimit: OnLimit;
}

/** Events of one device that rules are about. The oldest are left out. */
export const PLANNED_EVENTS_LIMIT: Limit = { name: 'sync.planned-events.device', max: 5_000 };
const DAY_MS = 86_400_000;
const ROUND_MS = 5_000;
const SOON_MS = 200;
const EVERY_MS = 60 * 60_000;

export class DevicePlanning {
  readonly #deps: DevicePlanningDeps;
  readonly #rounds: Rounds;
  /** Waiting devices by incarnation, the longest waiting first. */
  readonly #waiting = new Set<number>();
  /** Times at which devices are planned again, by incarnation. */
  readonly #settledAtMs = new Map<number, number>();
  #allAtMs = Number.NEGATIVE_INFINITY;

  constructor(deps: DevicePlanningDeps) {
    this.#deps = deps;
    this.#rounds = new Rounds({
      ...deps,
      work: () => this.#round(),
      failure: 'data sync could not be planned',
      intervalMs: ROUND_MS,
      delayMs: SOON_MS,
    });
  }

  planSoon(incarnation: number): void {
    this.#waiting.add(incarnation);
    this.#rounds.workSoon();
  }

  planAllSoon(): void {
    this.#allAtMs = this.#deps.now();
    for (const { incarnation } of this.#deps.directory.devices) this.#waiting.add(incarnation);
    this.#rounds.workSoon();
  }

  close(): Promise<void> {
    return this.#rounds.close();
  }

  /** Returns the number of added items. */
  async plan(device: SyncDevice): Promise<number> {
    const rules = this.#deps.directory.rulesFor(device);
    this.#settledAtMs.delete(device.incarnation);
    if (rules.length === 0) return 0;
    const nowMs = this.#deps.now();
    const daysBack = Math.max(...rules.map(({ content }) => content.daysBack));
    const span = { fromMs: nowMs - daysBack * DAY_MS, toMs: nowMs };
    const { sources, items } = this.#deps;
    const files = await sources.files(device, span);
    if (files.length === 0) return 0;
    const settledAtMs = nextSettledMs(files, nowMs);
    if (settledAtMs !== undefined) this.#settledAtMs.set(device.incarnation, settledAtMs);
    const uses = (choice: StoredSyncRule['content']['choice']): boolean =>
      rules.some(({ content }) => content.choice === choice);
    const none = new Map<number, readonly TimeRange[]>();
    const planned = planRules({
      nowMs,
      incarnation: device.incarnation,
      rules,
      files,
      here: await sources.here(device, span),
      taken: takenTime(await items.taken(device.incarnation, span)),
      events: uses('events') ? await this.#eventSpans(device, span, rules) : [],
      ignition: uses('ignition') ? await sources.ignition(device, span) : [],
      due: uses('gaps') ? await sources.due(device, this.#deps.channelsOf(device), span) : none,
    });
    const added = await items.add(planned, wallMs(nowMs));
    if (added.length > 0) this.#deps.onPlanned(device);
    return added.length;
  }

  async #round(): Promise<void> {
    if (this.#deps.now() - this.#allAtMs >= EVERY_MS) this.planAllSoon();
    this.#addSettled();
    for (const incarnation of this.#waiting) {
      if (this.#rounds.isClosed) return;
      this.#waiting.delete(incarnation);
      const device = this.#deps.directory.device(incarnation);
      if (device !== undefined && !device.disabled) await this.plan(device);
    }
  }

  #addSettled(): void {
    const nowMs = this.#deps.now();
    for (const [incarnation, settledAtMs] of this.#settledAtMs) {
      if (nowMs < settledAtMs) continue;
      this.#settledAtMs.delete(incarnation);
      this.#waiting.add(incarnation);
    }
  }

  async #eventSpans(device: SyncDevice, span: TimeRange, rules: readonly StoredSyncRule[]): Promise<EventSpan[]> {
    const choosing = rules.filter(({ content }) => content.choice === 'events');
    const isForAll = choosing.some(({ content }) => content.eventTypes.length === 0);
    const types = isForAll ? [] : [...new Set(choosing.flatMap(({ content }) => content.eventTypes))];
    const { archiveNumber } = device;
    const limit = PLANNED_EVENTS_LIMIT.max + 1;
    const events = await this.#deps.events.events({ archiveNumber, types, ...span, limit });
    if (events.length >= limit) this.#deps.onLimit(PLANNED_EVENTS_LIMIT);
    const clock = await this.#deps.sources.clockOf(device.incarnation);
    return events.slice(0, PLANNED_EVENTS_LIMIT.max).map((event) => this.#spanOf(event, clock));
  }

  #spanOf({ type, unit, beginAtMs, isLate }: SyncEvent, clock: DeviceClock): EventSpan {
    const { beforeS, afterS } = this.#deps.clipOf(type);
    const atMs = isLate ? clock.toGateway(beginAtMs) : beginAtMs;
    const channel = this.#deps.isOfChannel(type) ? unit : 0;
    return { type, channel, fromMs: atMs - beforeS * 1_000, toMs: atMs + afterS * 1_000 };
  }
}
