import { ArchiveFault } from './faults.ts';
import { type ArchiveKey, openKey } from './keys.ts';
import { archiveBytes, readHead } from './readArchive.ts';

/** Whether a key opens an archive, judged by its head. True if the head can't be read: whoever reads the archive reports why. */
export async function fitsArchive(path: string, key: ArchiveKey): Promise<boolean> {
  try {
    await openKey((await readHead(archiveBytes(path))).encryption, key);
    return true;
  } catch (error) {
    return !(error instanceof ArchiveFault && (error.fault === 'wrong-key' || error.fault === 'key-needed'));
  }
}
