// How the limit on backups made by hand is reached.
import { writeFile } from 'node:fs/promises';
import { expect, onTestFinished } from 'vitest';
import { MANUAL_BACKUPS_LIMIT } from '../../../../server/backup/runner/backupRunner.ts';
import { aLoaded, aManifest } from '../../../support/backup/aManifest.ts';
import { backupScene } from '../../../support/backup/backupScene.ts';
import { fakeBackupStore } from '../../../support/backup/fakeBackupStore.ts';
import { fakeSettings } from '../../../support/backup/fakeSettings.ts';
import { createTempFolder } from '../../../support/tempFolder.ts';
import { describeLimits, type LimitCase } from '../describeLimits.ts';

const manual: LimitCase = {
  limit: MANUAL_BACKUPS_LIMIT,
  open: async (onLimit) => {
    const folder = await createTempFolder();
    onTestFinished(folder.remove);
    const manifest = aManifest();
    const { runner, idle } = backupScene(
      {
        store: fakeBackupStore(),
        settings: fakeSettings().settings,
        threads: {
          write: async ({ path }) => {
            await writeFile(path, 'good');
            return { ok: true, manifest, bytes: 4, sha256: 'ab' };
          },
          load: async () => aLoaded(),
          survey: async () => ({ ok: false, fault: 'damaged', detail: '' }),
        },
        database: { engine: 'sqlite', file: ':memory:' },
        tryReads: async () => undefined,
        folder: folder.path,
      },
      { onLimit },
    );
    return {
      upTo: async () => {
        for (let count = 0; count < MANUAL_BACKUPS_LIMIT.max; count++) {
          expect(await runner.make({ madeBy: 'amy', note: '' })).toMatchObject({ ok: true });
          await idle();
        }
      },
      beyond: async () => {
        expect(await runner.make({ madeBy: 'amy', note: '' })).toEqual({ ok: false, reason: 'too-many' });
        // The schedule goes on.
        expect(await runner.make({ madeBy: '', note: '' })).toMatchObject({ ok: true });
        await idle();
      },
    };
  },
};

describeLimits('Making backups', [manual]);
