// What the next start finds when a restore is killed: the state before it or the one after it, and it says which.
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { clearRestores, recoverRestore } from '../../../../server/backup/restore/restoration.ts';
import { anInstallation, leftovers, MEDIA, type TestInstallation } from '../../../support/backup/installation.ts';
import { startProgram } from '../../../support/gateway/killedProgram.ts';
import { KILLS, KILLS_TIMEOUT_MS } from '../../../support/runs.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { describeOnBothEngines } from '../../store/testDatabase.ts';

/** Longer than an exchange takes. */
const SPREAD_MS = 60;
const NOW = ['now', 'key now', 'picture now'];
const THEN = ['then', 'key then', 'picture then'];

async function write(installation: TestInstallation, [name = '', key = '', picture = '']: readonly string[]) {
  await installation.change((db) => db.updateTable('device').set({ name }).execute());
  await installation.writeFile('second-factor.key', key);
  await installation.writeFile(`evidence/01/${MEDIA}`, picture);
}

describeOnBothEngines('a restore', (engine) => {
  it('that is killed is the old state or the new one', { timeout: KILLS_TIMEOUT_MS }, async () => {
    const installation = await anInstallation(engine);
    await write(installation, THEN);
    const after = await installation.whole();
    const path = await installation.backUp();
    const { dataDir, database } = installation;
    const url = database.engine === 'postgres' ? database.url : '';
    for (let life = 0; life < KILLS; life++) {
      await write(installation, NOW);
      const before = await installation.whole();
      const program = await startProgram(join(import.meta.dirname, 'restoreProgram.ts'), [
        ...[dataDir, path, Buffer.alloc(32, 7).toString('hex'), url],
      ]);
      await waitFor('the moment to kill it', () => program.lines().includes(life % 3 === 1 ? 'begun' : 'built'));
      await delay((life * SPREAD_MS) / KILLS);
      await program.kill();
      const state = await recoverRestore(installation);
      // `none`: nothing was exchanged yet, or all was over.
      const isNew = state === 'new' || (state === 'none' && program.lines().includes('exchanged'));
      expect(await installation.whole()).toEqual(isNew ? after : before);
      await clearRestores(installation);
      expect(await leftovers(installation)).toEqual([]);
    }
  });
});
