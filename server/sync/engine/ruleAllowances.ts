// The limits of rules: bytes of a device's day, and the bandwidth that all runs of a rule share.
import { startOfDay, wallClockMs } from '../../../shared/protocol/timeZones.ts';
import type { SyncItemStore } from '../../store/sync/syncItems.ts';
import type { StoredSyncRule } from '../../store/sync/syncRules.ts';
import type { SyncDevice } from '../../store/sync/syncSources.ts';
import { Bandwidth } from './bandwidth.ts';

const DAY_MS = 86_400_000;

export interface RuleAllowancesDeps {
  readonly items: Pick<SyncItemStore, 'receivedSince' | 'noteReceived'>;
  readonly now: () => number;
}

export class RuleAllowances {
  readonly #deps: RuleAllowancesDeps;
  /** Bandwidths by rule. */
  readonly #bandwidths = new Map<number, Bandwidth>();

  constructor(deps: RuleAllowancesDeps) {
    this.#deps = deps;
  }

  async receivedToday(rule: StoredSyncRule | undefined, device: SyncDevice): Promise<number> {
    if (rule === undefined || rule.content.megabytesADay === 0) return 0;
    return this.#deps.items.receivedSince(rule.id, device.incarnation, this.#midnightOf(device));
  }

  /** `takeBytes` is only called where they count. */
  async countReceived(rule: StoredSyncRule | undefined, device: SyncDevice, takeBytes: () => number): Promise<void> {
    if (rule === undefined || rule.content.megabytesADay === 0) return;
    const bytes = takeBytes();
    const { incarnation } = device;
    if (bytes > 0)
      await this.#deps.items.noteReceived({ rule: rule.id, incarnation, dayMs: this.#midnightOf(device), bytes });
  }

  bandwidthOf(rule: StoredSyncRule | undefined): Bandwidth | undefined {
    if (rule === undefined || rule.content.kilobitsPerSecond === 0) return undefined;
    const { kilobitsPerSecond } = rule.content;
    const known = this.#bandwidths.get(rule.id) ?? new Bandwidth(kilobitsPerSecond, this.#deps.now);
    known.kilobitsPerSecond = kilobitsPerSecond;
    this.#bandwidths.set(rule.id, known);
    return known;
  }

  #midnightOf({ timeZone }: SyncDevice): number {
    return startOfDay(Math.floor(wallClockMs(this.#deps.now(), timeZone) / DAY_MS), timeZone);
  }
}
