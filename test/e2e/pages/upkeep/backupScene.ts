// A gateway with much to back up, that is killed at it: what it must look like afterwards.
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { verifyArchive } from '../../../../server/backup/archive/verifyArchive.ts';
import { INSTALLATION_FILES } from '../../../../server/installation.ts';
import { BACKUPS_PATH, type Backup, type BackupList } from '../../../../shared/protocol/api/system/backups.ts';
import { aRun } from '../../../support/backup/archives.ts';
import { installationAt, leftovers, type TestInstallation } from '../../../support/backup/installation.ts';
import { startTrackScene, type TrackScene } from '../tracks/trackScene.ts';

export const SITE_TITLE = 'Northern Fleet';
/** What makes a backup, its test and a restore take a second or so. */
const AUDIT_ROWS = 60_000;
/** Rows that a gateway at rest writes nothing to. */
const COMPARED = ['device', 'device_group', 'event_type', 'event_rule', 'event_reason', 'role'] as const;
/** A gateway removes pictures of no event, and leaves keys alone. */
const KEY_FILE = INSTALLATION_FILES.sealingKey.path;
const KEYS = { now: `${'01'.repeat(32)}\n`, archived: `${'02'.repeat(32)}\n` };
type Written = keyof typeof KEYS;

/** How far a restore is, as its folder shows it. */
type Moment = 'begun' | 'building' | 'exchanging';

/** What a gateway says of a restore when it starts. */
export type Said = 'new' | 'old' | 'none';

export interface BackupScene {
  readonly scene: TrackScene;
  readonly installation: TestInstallation;
  /** Ends the gateway in order, so that a command may follow at once. */
  stop(): Promise<void>;
  /** In rows and in a file, while no gateway runs. */
  write(text: Written): Promise<void>;
  stateNow(): Promise<readonly unknown[]>;
  list(): Promise<BackupList>;
  makeBackup(note: string): Promise<Backup>;
  /** All that has a final name is whole and in the list; nothing else is there, and nothing is said to run. */
  lookAtBackups(): Promise<readonly Backup[]>;
  isAt(moment: Moment): Promise<boolean>;
  /** Starts the gateway after a restore that was killed, of which nothing may be left. */
  startAfterRestore(): Promise<Said>;
}

/** The gateway is stopped. */
export async function startBackupScene(): Promise<BackupScene> {
  const scene = await startTrackScene({ environment: { LOG_LEVEL: 'info', WEB_TITLE: SITE_TITLE } });
  const { dataDir } = scene.product;
  const installation = installationAt(dataDir, { engine: 'sqlite', file: join(dataDir, 'fleetglass.db') });
  const filesIn = (folder: string): Promise<string[]> => readdir(join(dataDir, folder)).catch(() => []);
  const list = () => scene.call('chief', 'GET', BACKUPS_PATH) as Promise<BackupList>;
  const stop = async (): Promise<void> => {
    await scene.product.end();
    await installation.change((db) => db.deleteFrom('gateway').execute());
  };
  await stop();
  await fillAudit(installation);
  return {
    ...{ scene, installation, stop, list },
    makeBackup: (note) => scene.call('chief', 'POST', BACKUPS_PATH, { note }) as Promise<Backup>,
    write: async (text) => {
      await installation.change((db) => db.updateTable('device').set({ name: text }).execute());
      await installation.writeFile(KEY_FILE, KEYS[text]);
    },
    stateNow: async () => {
      const all = await installation.state();
      return [await installation.readFile(KEY_FILE), ...COMPARED.map((table) => all.get(table))];
    },
    lookAtBackups: async () => {
      const { backups, running } = await list();
      expect(running).toBeNull();
      const states = backups.map(({ state, test: { state: tested } }) => [state, tested]);
      expect(states.flat()).not.toContain('running');
      const done = backups.filter(({ state }) => state === 'done').map(({ file }) => file);
      expect((await filesIn('backups')).sort()).toEqual(done.sort());
      for (const file of done) {
        const path = join(dataDir, 'backups', file);
        expect(await verifyArchive({ path, key: { kind: 'none' } }, aRun())).toMatchObject({ ok: true });
      }
      expect(await filesIn('backup-tests')).toEqual([]);
      return backups;
    },
    isAt: async (moment) => {
      switch (moment) {
        case 'begun':
          return existsSync(join(dataDir, 'restore'));
        case 'building':
          return (await filesIn('restore')).some((name) => /^[0-9a-f]{12}$/.test(name));
        case 'exchanging':
          return existsSync(join(dataDir, 'restore/journal.json'));
      }
    },
    startAfterRestore: async () => {
      const logged = scene.product.log().length;
      await scene.product.startAgain();
      const log = scene.product.log().slice(logged);
      expect(await leftovers(installation)).toEqual([]);
      if (log.includes('what was restored')) return 'new';
      return log.includes('a restore was cut short') ? 'old' : 'none';
    },
  };
}

async function fillAudit({ change }: TestInstallation): Promise<void> {
  await change((db) =>
    sql`insert into audit (at_ms, actor, action, target, address, detail)
      with recursive n(x) as (select 1 union all select x + 1 from n where x < ${sql.lit(AUDIT_ROWS)})
      select x, 'ann', 'setting.change', 'target ' || x, '', '{"n":' || x || '}' from n`.execute(db),
  );
}
