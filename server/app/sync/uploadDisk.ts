// The disk that files of devices are uploaded to. It holds the database too, whose writes fail where no byte is left.
import { statfs } from 'node:fs/promises';
import { inBackground } from '../../faults/background.ts';
import { faultOf, type OnFault } from '../../faults/onFault.ts';
import { SPARE_BYTES } from '../../uploads/uploadRules.ts';

export interface UploadDiskDeps {
  readonly freeBytes: () => Promise<number>;
  readonly now: () => number;
  readonly onFault: OnFault;
}

/**
 * Uploads begin only with twice the room that they leave free: otherwise each would be broken off, and its room would let the next one
 * begin.
 */
const BEGIN_BYTES = 2 * SPARE_BYTES;
const FRESH_MS = 5_000;

export class UploadDisk {
  readonly #deps: UploadDiskDeps;
  #freeBytes = Number.POSITIVE_INFINITY;
  #askedAtMs = Number.NEGATIVE_INFINITY;

  constructor(deps: UploadDiskDeps) {
    this.#deps = deps;
  }

  /** Whether an upload may begin, as of a few seconds ago. */
  isReady(): boolean {
    const { now, onFault } = this.#deps;
    if (now() - this.#askedAtMs >= FRESH_MS) {
      this.#askedAtMs = now();
      inBackground('the disk of uploads could not be looked at', this.#ask(), onFault);
    }
    return this.#freeBytes >= BEGIN_BYTES;
  }

  /** Whether one that runs may go on. */
  async hasRoom(): Promise<boolean> {
    await this.#ask();
    return this.#freeBytes >= SPARE_BYTES;
  }

  async #ask(): Promise<void> {
    try {
      this.#freeBytes = await this.#deps.freeBytes();
    } catch (cause) {
      // Writing tells what is wrong with it.
      this.#deps.onFault(faultOf('the disk of uploads could not be asked for its free space', cause));
    }
  }
}

export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
