// A gateway with much to back up, that is killed at it: what it must look like afterwards.
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { verifyArchive } from '../../../../server/backup/archive/verifyArchive.ts';
import { INSTALLATION_FILES } from '../../../../server/installation.ts';
import { DEVICES_PATH, type DeviceDetail, deviceFieldsOf } from '../../../../shared/protocol/api/devices.ts';
import { BACKUPS_PATH, type Backup, type BackupList } from '../../../../shared/protocol/api/system/backups.ts';
import { aRun } from '../../../support/backup/archives.ts';
import { installationAt, leftovers, type TestInstallation } from '../../../support/backup/installation.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { BUS, startTrackScene, type TrackScene } from '../tracks/trackScene.ts';

export const SITE_TITLE = 'Northern Fleet';
/** They make a backup, its test and a restore take a second or so. */
const AUDIT_ROWS = 30_000;
/** Tables that a gateway at rest writes nothing to. */
const COMPARED = ['device', 'device_group', 'event_type', 'event_rule', 'event_reason', 'role'] as const;

/** How far a restore is, as its folder shows it. */
type Moment = 'begun' | 'building' | 'exchanging';

/** What a gateway says of a restore when it starts. */
export type Said = 'new' | 'old' | 'none';

export interface BackupScene {
  readonly scene: TrackScene;
  /** Gives the bus another name. */
  rename(name: string): Promise<void>;
  stateNow(): Promise<readonly unknown[]>;
  list(): Promise<BackupList>;
  makeBackup(note: string): Promise<Backup>;
  untilTested(backup: Backup): Promise<void>;
  /** All that has a final name is whole and in the list; nothing else is there, and nothing is said to run. */
  lookAtBackups(): Promise<readonly Backup[]>;
  isAt(moment: Moment): Promise<boolean>;
  /** A gateway that was killed counts for two minutes as another one, beside which nothing is restored. */
  forgetKilled(): Promise<void>;
  /** Starts the gateway after a restore that was killed, of which nothing may be left. */
  startAfterRestore(): Promise<Said>;
}

export async function startBackupScene(): Promise<BackupScene> {
  const scene = await startTrackScene({ environment: { LOG_LEVEL: 'info', WEB_TITLE: SITE_TITLE } });
  const { dataDir } = scene.product;
  const installation = installationAt(dataDir, { engine: 'sqlite', file: join(dataDir, 'fleetglass.db') });
  await fillAudit(installation);
  const filesIn = (folder: string): Promise<string[]> => readdir(join(dataDir, folder)).catch(() => []);
  const list = () => scene.call('chief', 'GET', BACKUPS_PATH) as Promise<BackupList>;
  return {
    ...{ scene, list },
    rename: async (name) => {
      const path = `${DEVICES_PATH}/${BUS.deviceId}`;
      const { version, recording, ...device } = (await scene.call('chief', 'GET', path)) as DeviceDetail;
      await scene.call('chief', 'PUT', path, { ...deviceFieldsOf(device), name, version, recording });
    },
    stateNow: async () => {
      const rows = await installation.read((db) =>
        Promise.all(COMPARED.map((table) => db.selectFrom(table).selectAll().execute())),
      );
      return [
        await installation.readFile(INSTALLATION_FILES.sealingKey.path),
        // A table that was restored has its rows in another order.
        ...rows.map((each) => each.map((row) => JSON.stringify(row)).toSorted()),
      ];
    },
    makeBackup: (note) => scene.call('chief', 'POST', BACKUPS_PATH, { note }) as Promise<Backup>,
    untilTested: async ({ id }) => {
      const isTested = ({ backups }: BackupList): boolean =>
        backups.some((each) => each.id === id && each.test.state === 'passed');
      await waitFor('a backup that passed its test', list, isTested);
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
    forgetKilled: () => installation.change((db) => db.deleteFrom('gateway').execute()),
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
