// The folder of backups. It can be a share that comes and goes, and foreign files in it are left alone.
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { throwIfCanceled } from '../archive/faults.ts';
import { archiveBytes } from '../archive/readArchive.ts';
import { syncPath } from '../files/syncPath.ts';

const NAME = /^fleetglass-\d{8}-\d{6}-[0-9a-f]{6}\.fgb$/;
/** The temporary names that `writeArchive` uses. */
const PART = /^fleetglass-\d{8}-\d{6}-[0-9a-f]{6}\.fgb\.[0-9a-f]+\.part$/;
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

export interface BackupFolderOptions {
  readonly path: string;
  /** Whether it is the installation's own: then it is made where it is missing. An unmounted share would look like an empty one. */
  readonly isOwn: boolean;
  /** Folder in which restores are tried, on this machine's disk. */
  readonly testPath: string;
}

export class BackupFolder {
  readonly #options: BackupFolderOptions;

  constructor(options: BackupFolderOptions) {
    this.#options = options;
  }

  get path(): string {
    return this.#options.path;
  }

  /** Removes the remains of tests that were killed. No other gateway works there. */
  async start(): Promise<void> {
    await rm(this.#options.testPath, { recursive: true, force: true });
  }

  /**
   * Removes the remains of runs that were killed, of any gateway; `unfinished`: files that may be complete but are not noted as such. If a
   * share isn't available, this has to wait for the next start.
   */
  async clearUp(unfinished: readonly string[]): Promise<void> {
    if (!(await this.isUsable())) return;
    for (const file of await readdir(this.path)) {
      if (PART.test(file) || unfinished.includes(file)) await rm(join(this.path, file), { force: true });
    }
  }

  async isUsable(): Promise<boolean> {
    const { path, isOwn } = this.#options;
    try {
      if (isOwn) await mkdir(path, { recursive: true, mode: FOLDER_MODE });
      await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
      return (await stat(path)).isDirectory();
    } catch {
      return false; // missing, or not accessible: an operator gets the same message for both
    }
  }

  /** The name has the time, which people look for, and a random part: two backups of one second have two names. */
  newName(atMs: number): string {
    const digits = new Date(atMs).toISOString().replaceAll(/\D/g, '');
    return `fleetglass-${digits.slice(0, 8)}-${digits.slice(8, 14)}-${randomBytes(3).toString('hex')}.fgb`;
  }

  /** Throws for a text that is no name of a backup. */
  pathOf(file: string): string {
    if (!NAME.test(file)) throw new RangeError('that is no name of a backup');
    return join(this.path, file);
  }

  async has(file: string): Promise<boolean> {
    const found = await stat(this.pathOf(file)).catch(() => undefined);
    return found?.isFile() === true;
  }

  /**
   * Gives a synced file the name of a backup: at once if it is on the same disk. From another disk it is copied, which `signal` can end;
   * the copy is synced, and complete once it has the name.
   */
  async adopt(path: string, file: string, signal: AbortSignal): Promise<void> {
    const place = this.pathOf(file);
    if (!(await isRenamed(path, place))) {
      const part = `${place}.${randomBytes(4).toString('hex')}.part`;
      try {
        await copyTo(part, path, signal);
        await rename(part, place);
      } catch (error) {
        await rm(part, { force: true });
        throw error;
      }
    }
    await syncPath(this.path);
  }

  /** A missing file is fine. */
  async remove(file: string): Promise<void> {
    await rm(this.pathOf(file), { force: true });
  }

  /** Makes an empty folder. Whoever calls this removes it. */
  async makeTestFolder(): Promise<string> {
    const path = join(this.#options.testPath, randomBytes(8).toString('hex'));
    await mkdir(path, { recursive: true, mode: FOLDER_MODE });
    return path;
  }
}

/** False: the file is on another disk. */
async function isRenamed(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EXDEV') return false;
    throw error;
  }
}

async function copyTo(part: string, path: string, signal: AbortSignal): Promise<void> {
  const handle = await open(part, 'wx', FILE_MODE);
  try {
    for await (const piece of archiveBytes(path)) {
      throwIfCanceled(signal);
      // The pieces are written one after another.
      await handle.writeFile(piece);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}
