import { open } from 'node:fs/promises';

/** A file's bytes, or a folder's names: new ones are on the disk only with their folder. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
