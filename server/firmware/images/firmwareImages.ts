// Images of member groups and their files. A file is there as long as an image names it.
import type { FirmwareImageContent } from '../../../shared/protocol/api/firmware/images.ts';
import type {
  FirmwareImageStore,
  NamedFirmwareImage,
  StoredFirmwareImage,
} from '../../store/firmware/firmwareImages.ts';
import type { Outcome } from '../../store/outcome.ts';
import { InTurn } from '../../uploads/inTurn.ts';
import type { TakeFault, Uploads } from '../../uploads/uploads.ts';
import type { ImageContent, ImageFiles } from './imageFiles.ts';

export interface FirmwareImagesDeps {
  readonly store: Pick<FirmwareImageStore, 'insert' | 'remove' | 'hashes'>;
  readonly files: Pick<ImageFiles, 'start' | 'adopt' | 'verifiedFile' | 'remove' | 'hashes'>;
  readonly uploads: Pick<Uploads, 'take'>;
  readonly now: () => number;
}

export interface NewImage {
  readonly memberGroup: number;
  readonly content: FirmwareImageContent;
  readonly upload: string;
  readonly by: { readonly id: number; readonly username: string };
}

export class FirmwareImages {
  readonly #deps: FirmwareImagesDeps;
  readonly #turns = new InTurn();

  constructor(deps: FirmwareImagesDeps) {
    this.#deps = deps;
  }

  /** Removes files that no image names: of an image that was not finished, or of a member group that was deleted. */
  async start(): Promise<void> {
    await this.#deps.files.start();
    await this.removeUnnamed();
  }

  add({ memberGroup, content, upload, by }: NewImage): Promise<Outcome<StoredFirmwareImage, TakeFault | 'too-many'>> {
    const { store, uploads, now } = this.#deps;
    return uploads.take({ id: upload, userId: by.id, purpose: 'firmware' }, ({ path, sha256, bytes }) =>
      // In turn with removals: the last image of a content must not take a file that the next one has just named.
      this.#turns.run('files', async () => {
        const times = { addedAtMs: now(), addedBy: by.username };
        const added = await store.insert({ memberGroup, content, sha256, bytes, ...times });
        // A crash between the two leaves an image that is damaged, which each task finds out, and never a file for ever.
        if (added.ok) await this.#adopt(path, added.value);
        return added;
      }),
    );
  }

  /**
   * The row comes before the file: a crash between the two leaves an image that the next task reports as damaged, and no file that no image
   * names. An image whose file could not be moved would be listed, and each further attempt would add another.
   */
  async #adopt(path: string, image: StoredFirmwareImage): Promise<void> {
    const { store, files, now } = this.#deps;
    try {
      await files.adopt(path, image.sha256);
    } catch (cause) {
      await store.remove(image, now());
      await this.#removeIfUnnamed(image.sha256);
      throw new Error('the file of a firmware image could not be moved to its place', { cause });
    }
  }

  /** With the last image of a content its file goes. */
  remove(named: NamedFirmwareImage): ReturnType<FirmwareImageStore['remove']> {
    return this.#turns.run('files', async () => {
      const removed = await this.#deps.store.remove(named, this.#deps.now());
      if (!removed.ok) return removed;
      await this.#removeIfUnnamed(removed.value.sha256);
      return removed;
    });
  }

  async #removeIfUnnamed(sha256: string): Promise<void> {
    const { store, files } = this.#deps;
    if (!(await store.hashes()).has(sha256)) await files.remove(sha256);
  }

  /** After a member group was deleted, too. */
  removeUnnamed(): Promise<void> {
    return this.#turns.run('files', async () => {
      const { store, files } = this.#deps;
      const named = await store.hashes();
      for (const sha256 of await files.hashes()) if (!named.has(sha256)) await files.remove(sha256);
    });
  }

  /** Before each task: its path, or undefined where the file is damaged or gone. */
  verifiedFile(image: ImageContent): Promise<string | undefined> {
    return this.#deps.files.verifiedFile(image);
  }
}
