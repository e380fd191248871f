// Removes what nobody needs any more: ended items, lists of recordings that are long gone, files that could not be read.
import type { OnFault } from '../faults/onFault.ts';
import { Rounds } from '../faults/rounds.ts';
import type { DeviceRecordingStore } from '../store/sync/deviceRecordings.ts';
import type { SyncItemStore } from '../store/sync/syncItems.ts';
import type { SyncRuleStore } from '../store/sync/syncRules.ts';
import type { KeptFiles } from './engine/keptFiles.ts';

export interface SyncRetentionDeps {
  readonly items: Pick<SyncItemStore, 'removeEnded' | 'removeEndedOf'>;
  readonly rules: Pick<SyncRuleStore, 'all'>;
  readonly recordings: Pick<DeviceRecordingStore, 'removeBefore'>;
  readonly files: Pick<KeptFiles, 'removeOld'>;
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onFault: OnFault;
}

const DAY_MS = 86_400_000;
/** Longer than any rule goes back: removed items would be planned again. */
const ITEMS_MS = 91 * DAY_MS;
const RECORDINGS_MS = 100 * DAY_MS;
const ROUND_MS = 6 * 60 * 60_000;
const FIRST_MS = 10 * 60_000;

export class SyncRetention {
  readonly #rounds: Rounds;

  constructor(deps: SyncRetentionDeps) {
    this.#rounds = new Rounds({
      ...deps,
      work: async () => {
        await deps.files.removeOld();
        await removeItems(deps);
        await deps.recordings.removeBefore(deps.now() - RECORDINGS_MS);
      },
      failure: 'what data sync keeps no longer could not be deleted',
      intervalMs: ROUND_MS,
      delayMs: FIRST_MS,
    });
  }

  close(): Promise<void> {
    return this.#rounds.close();
  }
}

/** If a rule keeps recordings for long, these are known by its items, which therefore stay until a day after that. */
async function removeItems({ items, rules, now }: SyncRetentionDeps): Promise<void> {
  const kept = (await rules.all()).map(({ id, content }) => ({ id, keptMs: (content.keptDays + 1) * DAY_MS }));
  const longer = kept.filter(({ keptMs }) => keptMs > ITEMS_MS);
  await items.removeEnded(
    now() - ITEMS_MS,
    longer.map(({ id }) => id),
  );
  for (const { id, keptMs } of longer) await items.removeEndedOf(id, now() - keptMs);
}
