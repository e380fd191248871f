// When links were last used, how often and from where: collected, and written together every few seconds. Whoever
// opens a stream never waits for it.
import type { WallMs } from '../../shared/protocol/time.ts';
import type { LinkListStore, LinkUse } from '../store/links/linkList.ts';
import { hashSecret } from './secrets.ts';

export interface NotedUse {
  readonly credential: string;
  readonly address: string;
  /** Whether it counts as an opening: a page asked what the link opens. Its streams are the same use. */
  readonly opens: boolean;
}

export interface LinkUsesDeps {
  readonly linkList: Pick<LinkListStore, 'noteUses'>;
  readonly now: () => WallMs;
  /** Runs once after a time; the result cancels it. */
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onFault: (error: Error) => void;
}

export const WRITE_AFTER_MS = 2_000;

/** Owns its timer. */
export class LinkUses {
  readonly #deps: LinkUsesDeps;
  #uses = new Map<string, LinkUse>();
  #cancel: (() => void) | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(deps: LinkUsesDeps) {
    this.#deps = deps;
  }

  note({ credential, address, opens }: NotedUse): void {
    const secretHash = hashSecret(credential);
    const count = (this.#uses.get(secretHash)?.count ?? 0) + (opens ? 1 : 0);
    this.#uses.set(secretHash, { secretHash, atMs: this.#deps.now(), address, count });
    this.#cancel ??= this.#deps.runAfter(WRITE_AFTER_MS, () => {
      this.#writing = this.#write();
    });
  }

  /** Writes what is left, after what is being written. */
  async close(): Promise<void> {
    this.#cancel?.();
    await this.#writing;
    await this.#write();
  }

  async #write(): Promise<void> {
    this.#cancel = undefined;
    const uses = [...this.#uses.values()];
    this.#uses = new Map();
    if (uses.length === 0) return;
    try {
      await this.#deps.linkList.noteUses(uses);
    } catch (cause) {
      this.#deps.onFault(new Error('uses of links could not be noted', { cause }));
    }
  }
}
