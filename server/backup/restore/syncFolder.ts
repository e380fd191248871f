import { open } from 'node:fs/promises';

/** New names in a folder are on the disk only with the folder. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
