// Counts of events that are not closed, by device group: read from the database, then kept up to date.
import type { EventCounts } from '../../../../shared/protocol/api/events.ts';
import {
  type EventStatus,
  isAnswered,
  SEVERITIES,
  type Severity,
} from '../../../../shared/protocol/events/eventWords.ts';
import type { OnFault } from '../../../faults/onFault.ts';
import { Rounds } from '../../../faults/rounds.ts';
import type { EventCountStore, OpenCounts } from '../../../store/events/eventCounts.ts';

export interface OpenEventsDeps {
  readonly store: EventCountStore;
  /** Group of the device whose events are stored under the number; undefined where none is shown. */
  readonly groupOfArchive: (archiveNumber: number) => number | undefined;
  readonly onChange: () => void;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onFault: OnFault;
}

/** An event that was added to the database, or whose status a member has changed there. */
export interface StatusChange {
  readonly id: number;
  /** 0: the gateway itself. */
  readonly archiveNumber: number;
  readonly severity: Severity;
  /** Undefined: the event was added. */
  readonly before: EventStatus | undefined;
  readonly after: EventStatus;
}

type Counts = Record<keyof EventCounts, Record<Severity, number>>;

/** Interval of recounts, since retention removes events without notice. */
const RECOUNT_MS = 10 * 60_000;
/** Delay that combines the devices of one deletion. */
const RECOUNT_DELAY_MS = 5_000;
/** Maximum readings of the counts: one during which members changed events is repeated, since it may or may not include their changes. */
const MAX_READINGS = 3;

export class OpenEvents {
  readonly #deps: OpenEventsDeps;
  readonly #rounds: Rounds;
  /** Counts by archive number; 0: the gateway itself. */
  #byArchive = new Map<number, Counts>();
  #byGroup: ReadonlyMap<number, Counts> | undefined;
  /** Changes that came while the database was read. */
  #meanwhile: StatusChange[] | undefined;

  constructor(deps: OpenEventsDeps) {
    this.#deps = deps;
    this.#rounds = new Rounds({
      ...deps,
      work: () => this.count(),
      failure: 'open events could not be counted',
      intervalMs: RECOUNT_MS,
      delayMs: RECOUNT_DELAY_MS,
    });
  }

  async count(): Promise<void> {
    for (let readings = 1; ; readings++) {
      const meanwhile: StatusChange[] = [];
      this.#meanwhile = meanwhile;
      const read = await this.#deps.store.open();
      this.#meanwhile = undefined;
      if (meanwhile.some(({ before }) => before !== undefined) && readings < MAX_READINGS) continue;
      this.#takeIn(read, meanwhile);
      return;
    }
  }

  /** Takes events that were added, or that members have changed. */
  note(changes: readonly StatusChange[]): void {
    if (changes.length === 0) return;
    this.#meanwhile?.push(...changes);
    for (const change of changes) this.#apply(change);
    this.regroup();
  }

  /** Call this when devices were added, removed or moved to other groups. */
  regroup(): void {
    this.#byGroup = undefined;
    this.#deps.onChange();
  }

  countsOf(deviceGroups: ReadonlySet<number>, withGateway: boolean): EventCounts {
    this.#byGroup ??= this.#grouped();
    const sum = noCounts();
    for (const group of deviceGroups) addTo(sum, this.#byGroup.get(group));
    if (withGateway) addTo(sum, this.#byArchive.get(0));
    return sum;
  }

  /** Call this when devices were deleted: their events go with them. */
  recountSoon(): void {
    this.#rounds.workSoon();
  }

  close(): Promise<void> {
    return this.#rounds.close();
  }

  #takeIn({ counts, lastId }: OpenCounts, meanwhile: readonly StatusChange[]): void {
    this.#byArchive = new Map();
    for (const { archiveNumber, severity, status, count } of counts) {
      addStatus(this.#of(archiveNumber), severity, status, count);
    }
    for (const change of meanwhile) if (change.before === undefined && change.id > lastId) this.#apply(change);
    this.regroup();
  }

  #apply({ archiveNumber, severity, before, after }: StatusChange): void {
    const counts = this.#of(archiveNumber);
    if (before !== undefined) addStatus(counts, severity, before, -1);
    addStatus(counts, severity, after, 1);
  }

  #of(archiveNumber: number): Counts {
    const known = this.#byArchive.get(archiveNumber);
    if (known !== undefined) return known;
    const counts = noCounts();
    this.#byArchive.set(archiveNumber, counts);
    return counts;
  }

  #grouped(): ReadonlyMap<number, Counts> {
    const groups = new Map<number, Counts>();
    for (const [archiveNumber, counts] of this.#byArchive) {
      const group = this.#deps.groupOfArchive(archiveNumber);
      if (group === undefined) continue;
      const sum = groups.get(group) ?? noCounts();
      groups.set(group, sum);
      addTo(sum, counts);
    }
    return groups;
  }
}

function noCounts(): Counts {
  const none = { critical: 0, major: 0, minor: 0, info: 0 };
  return { unacknowledged: { ...none }, open: { ...none } };
}

/** Never below 0: an event that was removed meanwhile is no longer counted. */
function addStatus(counts: Counts, severity: Severity, status: EventStatus, by: number): void {
  const { open, unacknowledged } = counts;
  if (isAnswered(status)) return;
  open[severity] = Math.max(0, open[severity] + by);
  if (status === 'new') unacknowledged[severity] = Math.max(0, unacknowledged[severity] + by);
}

function addTo(sum: Counts, counts: Counts | undefined): void {
  if (counts === undefined) return;
  for (const severity of SEVERITIES) {
    sum.open[severity] += counts.open[severity];
    sum.unacknowledged[severity] += counts.unacknowledged[severity];
  }
}
