import { open } from 'node:fs/promises';

/** Syncs a file's bytes, or a folder's names: new files are only safe on disk together with their folder. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
