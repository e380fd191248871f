// The list of copies to be deleted. It is stored, since the bucket may be unreachable when their backups are deleted.
// To list the bucket and delete what has no backup would delete copies of another installation with the same prefix.
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { SettingStore } from '../../store/system/settings.ts';

/** Copies that wait to be deleted. The oldest is forgotten, and stays in the bucket. */
export const COPY_REMOVALS_LIMIT: Limit = { name: 'backup.copy-removals', max: 1_000 };

export interface CopyRemovalsDeps {
  readonly settings: Pick<SettingStore, 'get' | 'setOnce' | 'replace'>;
  readonly onLimit: OnLimit;
}

/** Setting with one line per copy, the oldest first. */
export const COPY_REMOVALS_SETTING = 'backup.copy-removals';

export class CopyRemovals {
  readonly #deps: CopyRemovalsDeps;

  constructor(deps: CopyRemovalsDeps) {
    this.#deps = deps;
  }

  async list(): Promise<readonly string[]> {
    return filesIn((await this.#deps.settings.get(COPY_REMOVALS_SETTING)) ?? '');
  }

  add(file: string): Promise<void> {
    return this.#change((files) => {
      const added = [...files.filter((other) => other !== file), file];
      if (added.length > COPY_REMOVALS_LIMIT.max) this.#deps.onLimit(COPY_REMOVALS_LIMIT);
      return added.slice(-COPY_REMOVALS_LIMIT.max);
    });
  }

  /** Called when the copy is deleted. */
  done(file: string): Promise<void> {
    return this.#change((files) => files.filter((other) => other !== file));
  }

  /** Changes the list, which other gateways change too. */
  async #change(change: (files: readonly string[]) => readonly string[]): Promise<void> {
    const { settings } = this.#deps;
    for (;;) {
      const held = await settings.setOnce(COPY_REMOVALS_SETTING, '');
      const changed = change(filesIn(held)).join('\n');
      if (changed === held || (await settings.replace(COPY_REMOVALS_SETTING, held, changed))) return;
    }
  }
}

function filesIn(text: string): readonly string[] {
  return text.split('\n').filter((file) => file !== '');
}
