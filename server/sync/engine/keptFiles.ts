// Files of devices that are not readable as video: kept under random names for download, within a limit of space and time.
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { copyFile, link, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { wallMs } from '../../../shared/protocol/time.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import { filesToDrop, type SharedFile } from '../../limits/makeRoom.ts';
import type { SyncItemStore } from '../../store/sync/syncItems.ts';
import { type LeftFiles, leftIn } from './attempts/wholeFiles.ts';

export interface KeptFilesDeps {
  /** DATA_DIR/sync. */
  readonly folder: string;
  readonly items: Pick<SyncItemStore, 'find' | 'change' | 'keptFiles' | 'clearFile'>;
  readonly maximumBytes: number;
  readonly keptMs: number;
  readonly now: () => number;
  readonly onLimit: OnLimit;
}

const NAME = /^[0-9a-f]{32}$/;
const KEPT = 'files';

/**
 * Size of all files that can't be read as video. `SYNC_FILES_MAX_MB` sets another maximum. The oldest of the member group that has the most
 * are deleted.
 */
export const KEPT_BYTES_LIMIT: Limit = { name: 'sync.files.bytes', max: 1024 * 1024 * 1024 };

export class KeptFiles {
  readonly #deps: KeptFilesDeps;
  readonly #files: string;
  readonly #limit: Limit;

  constructor(deps: KeptFilesDeps) {
    this.#deps = deps;
    this.#files = join(deps.folder, KEPT);
    this.#limit = { ...KEPT_BYTES_LIMIT, max: deps.maximumBytes };
    mkdirSync(this.#files, { recursive: true, mode: 0o700 });
  }

  /** Makes a folder for one attempt: the gateway's next start removes its contents, except for complete files. */
  async makeFolder(): Promise<string> {
    const path = join(this.#deps.folder, newName());
    mkdirSync(path, { mode: 0o700 });
    return path;
  }

  async removeFolder(path: string): Promise<void> {
    await rm(path, { recursive: true, force: true });
  }

  /**
   * Keeps a file for an item, which has one at most: the last one. The file in the attempt's folder stays until the item names this one, so
   * that a kill loses neither. False for a file that is larger than the limit for all of them.
   */
  async keep(path: string, bytes: number, item: number): Promise<boolean> {
    if (bytes > this.#deps.maximumBytes) {
      this.#deps.onLimit(this.#limit);
      return false;
    }
    await this.#makeRoom(bytes);
    const name = newName();
    await link(path, this.pathOf(name)).catch(() => copyFile(path, this.pathOf(name)));
    const before = (await this.#deps.items.find(item))?.file ?? '';
    const isNamed = await this.#deps.items.change(item, { file: name }, wallMs(this.#deps.now()));
    const unnamed = isNamed ? before : name;
    if (unnamed !== '') await this.remove(unnamed);
    return isNamed;
  }

  pathOf(name: string): string {
    if (!NAME.test(name)) throw new RangeError('that is no name of a kept file');
    return join(this.#files, name);
  }

  async remove(name: string): Promise<void> {
    await rm(this.pathOf(name), { force: true });
  }

  /** Removes what attempts of an earlier run have left, and files that no item names. Returns complete files that are still to be read. */
  async sweep(): Promise<LeftFiles[]> {
    const left: LeftFiles[] = [];
    for (const name of await readdir(this.#deps.folder)) {
      if (!NAME.test(name)) continue;
      const folder = join(this.#deps.folder, name);
      const files = await leftIn(folder);
      if (files === undefined) await this.removeFolder(folder);
      else left.push(files);
    }
    const named = new Set((await this.#deps.items.keptFiles()).map(({ name }) => name));
    for (const name of await readdir(this.#files)) {
      if (NAME.test(name) && !named.has(name)) await this.remove(name);
    }
    return left;
  }

  async removeOld(): Promise<void> {
    const beforeMs = this.#deps.now() - this.#deps.keptMs;
    for (const { item, name, changedAtMs } of await this.#deps.items.keptFiles()) {
      if (changedAtMs < beforeMs) await this.#forget(item, name);
    }
  }

  /** The oldest files of the member group that has the most are deleted first. */
  async #makeRoom(bytes: number): Promise<void> {
    const files: (SharedFile & { readonly item: number; readonly name: string })[] = [];
    for (const { item, memberGroup, name } of await this.#deps.items.keptFiles()) {
      const found = await stat(this.pathOf(name)).catch(() => undefined);
      files.push({ item, memberGroup, name, bytes: found?.size ?? 0 });
    }
    const dropped = filesToDrop(files, this.#deps.maximumBytes - bytes);
    if (dropped.length > 0) this.#deps.onLimit(this.#limit);
    for (const { item, name } of dropped) await this.#forget(item, name);
  }

  async #forget(item: number, name: string): Promise<void> {
    await this.remove(name);
    await this.#deps.items.clearFile(item);
  }
}

function newName(): string {
  return randomBytes(16).toString('hex');
}
