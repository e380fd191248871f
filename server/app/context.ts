// What every part of a gateway stands on.
import type { Registry } from 'prom-client';
import type { SecretBox } from '../auth/secretBox.ts';
import type { ChangeBus } from '../bus/changeBus.ts';
import type { Config } from '../config/variables.ts';
import type { ReportFeed } from '../device/reportFeed.ts';
import type { OnFault } from '../faults/onFault.ts';
import { type After, createRunAfter } from '../faults/timers.ts';
import type { ThreadMeters } from '../health/threads/threadMeters.ts';
import type { OnLimit } from '../limits/limit.ts';
import type { Closing } from '../process/closing.ts';
import type { Log } from '../process/log.ts';
import type { DatabaseLocation } from '../store/engine/database.ts';
import type { OnDamagedBlock } from '../store/fleet/blocks/damagedBlocks.ts';
import type { Stores } from '../store/stores.ts';

export interface Context {
  readonly config: Config;
  readonly stores: Stores;
  /** Threads open the database by themselves. */
  readonly database: DatabaseLocation;
  readonly meters: ThreadMeters;
  readonly onDamagedBlock: OnDamagedBlock;
  /** Seals the secrets that the database stores. */
  readonly secretBox: SecretBox;
  readonly bus: ChangeBus;
  readonly feed: ReportFeed;
  readonly metrics: Registry;
  readonly log: Log;
  /** Closes the parts in the reverse order of their start. */
  readonly closing: Closing;
  readonly onLimit: OnLimit;
}

export interface PartTools {
  readonly runAfter: After;
  readonly onFault: OnFault;
}

/** The timers of a part, and where its faults go: `name` stands in the log. */
export function toolsOf({ log }: Pick<Context, 'log'>, name: string): PartTools {
  const onFault: OnFault = (error) => log.error({ err: error }, name);
  return { runAfter: createRunAfter(onFault), onFault };
}
