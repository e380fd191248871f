// Archives as another installation hands them out, or as nobody should.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArchiveKey } from '../../../server/backup/archive/keys.ts';
import { openDatabase } from '../../../server/store/engine/database.ts';
import { createStores } from '../../../server/store/stores.ts';
import { createTempFolder } from '../tempFolder.ts';
import { fillFleet } from './aBackedUpFleet.ts';
import { aWriteTask, written } from './archives.ts';

/** Of an installation of its own, with devices. */
export async function fleetArchive(key: ArchiveKey): Promise<Buffer> {
  const folder = await createTempFolder();
  try {
    const database = { engine: 'sqlite', file: join(folder.path, 'a.db') } as const;
    const { db, close } = await openDatabase(database);
    await fillFleet(createStores(db));
    await close();
    const task = aWriteTask(database, folder.path, { key });
    await written(task);
    return await readFile(task.path);
  } finally {
    await folder.remove();
  }
}
