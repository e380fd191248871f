// The notices of what is shipped, as the build has written them.
import { readFile } from 'node:fs/promises';
import type { Notice } from '../../../../shared/protocol/api/system/notices.ts';

interface NoticeWithText extends Notice {
  readonly text: string;
}

/** All of them, by name; undefined where nothing was built. */
export type NoticesReader = () => Promise<readonly NoticeWithText[] | undefined>;

/** Reads the file when it is first asked for, and once: it is half a megabyte, which few installations ever ask for. */
export function createNoticesReader(file: string): NoticesReader {
  let read: readonly NoticeWithText[] | undefined;
  return async () => {
    read ??= await readNotices(file);
    return read;
  };
}

async function readNotices(file: string): Promise<readonly NoticeWithText[] | undefined> {
  try {
    // Ours, of the same build: one that is damaged is a fault and not to be worked around.
    const { packages } = JSON.parse(await readFile(file, 'utf8')) as { packages: readonly NoticeWithText[] };
    return packages;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
