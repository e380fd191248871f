// The demo's backups: one that failed because its folder was missing, one that was made and tested, and a plan for the nights.
import { inBackground } from '../../server/faults/background.ts';
import type { OnFault } from '../../server/faults/onFault.ts';
import type { After } from '../../server/faults/timers.ts';
import {
  BACKUP_PLAN_PATH,
  BACKUPS_PATH,
  type Backup,
  type BackupList,
  type BackupPlan,
  type ChangedBackupPlan,
} from '../../shared/protocol/api/system/backups.ts';
import type { DemoSession } from '../members/demoSession.ts';
import { Looks } from './looks.ts';

export interface DemoBackupsDeps {
  readonly administrator: Pick<DemoSession, 'get' | 'send'>;
  /** Makes the folder that BACKUP_DIR names. */
  readonly makeFolder: () => Promise<void>;
  readonly runAfter: After;
  readonly onFault: OnFault;
}

const AT_NIGHT_MINUTE = 2 * 60 + 30;
const PASSPHRASE = 'fleetglass demo backups';

/** Owns its timer until `stop`. */
export class DemoBackups {
  readonly #deps: DemoBackupsDeps;
  readonly #looks: Looks;

  constructor(deps: DemoBackupsDeps) {
    this.#deps = deps;
    this.#looks = new Looks(deps.runAfter);
  }

  start(): void {
    inBackground("the demo's backups could not be made", this.#make(), this.#deps.onFault);
  }

  stop(): void {
    this.#looks.stop();
  }

  /** What an earlier run has left stays. */
  async #make(): Promise<void> {
    const { administrator, makeFolder } = this.#deps;
    const before = await this.#list();
    if (before === undefined || before.backups.length > 0) return makeFolder();
    await this.#backUp('The share is not mounted yet');
    const hasFailed = await this.#looks.until(async () => (await this.#list())?.running === null);
    await makeFolder();
    if (!hasFailed) return;
    const plan = await administrator.get<BackupPlan>(BACKUP_PLAN_PATH);
    if (plan !== undefined) await administrator.send('PUT', BACKUP_PLAN_PATH, nightly(plan));
    await this.#backUp('First backup of the depot');
  }

  #list(): Promise<BackupList | undefined> {
    return this.#deps.administrator.get<BackupList>(BACKUPS_PATH);
  }

  #backUp(note: string): Promise<Backup | undefined> {
    return this.#deps.administrator.send<Backup>('POST', BACKUPS_PATH, { note });
  }
}

function nightly({ hasKey: _, nextRunAtMs: __, ...plan }: BackupPlan): ChangedBackupPlan {
  const when = { enabled: true, every: 'daily', minuteOfDay: AT_NIGHT_MINUTE } as const;
  return { ...plan, ...when, encryption: 'passphrase', passphrase: PASSPHRASE, newRecoveryKey: false };
}
