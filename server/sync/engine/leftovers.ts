// Files that were complete before the gateway was killed, and are not read yet. The terminal was told that they have arrived.
import { wallMs } from '../../../shared/protocol/time.ts';
import { faultOf, type OnFault } from '../../faults/onFault.ts';
import type { SyncItemStore } from '../../store/sync/syncItems.ts';
import type { SyncDevice } from '../../store/sync/syncSources.ts';
import type { Ingest } from '../ingest/ingest.ts';
import { hasEndedState } from '../plan/endedStates.ts';
import { ingestTargetOf } from './attempts/attempt.ts';
import { placeFiles } from './attempts/placeFiles.ts';
import type { LeftFiles } from './attempts/wholeFiles.ts';

export interface LeftoversDeps {
  readonly items: Pick<SyncItemStore, 'find'>;
  readonly device: (incarnation: number) => SyncDevice | undefined;
  readonly ingest: Pick<Ingest, 'file' | 'length'>;
  /** Keeps a file that is no video for its item, where there is room for it. */
  readonly keep: (path: string, bytes: number, item: number) => Promise<boolean>;
  readonly removeFolder: (path: string) => Promise<void>;
  readonly onFault: OnFault;
}

export class Leftovers {
  readonly #deps: LeftoversDeps;
  readonly #left: Set<LeftFiles>;
  /** Files whose turn after the start is still to come, or in progress. */
  readonly #unread: Set<LeftFiles>;
  readonly #stop = new AbortController();

  constructor(left: readonly LeftFiles[], deps: LeftoversDeps) {
    this.#left = new Set(left);
    this.#unread = new Set(left);
    this.#deps = deps;
  }

  /** To be called once, after the start. Files that can't be stored stay. */
  async readAll(): Promise<void> {
    for (const left of [...this.#unread]) {
      await this.#use([left]);
      this.#unread.delete(left);
    }
  }

  /** Whether a file of the item is still to be read after the start: the item must not be requested again meanwhile. */
  isAwaited(item: number): boolean {
    for (const left of this.#unread) if (left.item === item) return true;
    return false;
  }

  /** Reads the files of one item that could not be stored before. */
  async retry(item: number): Promise<void> {
    await this.#use([...this.#left].filter((left) => left.item === item && !this.#unread.has(left)));
  }

  async #use(files: readonly LeftFiles[]): Promise<void> {
    for (const left of files) {
      if (this.#stop.signal.aborted) return;
      try {
        if (!(await this.#read(left))) continue;
        this.#left.delete(left);
        await this.#deps.removeFolder(left.folder);
      } catch (cause) {
        this.#deps.onFault(faultOf('what a device had sent before the last start could not be recorded', cause));
      }
    }
  }

  /** Remaining files stay for the next start. */
  close(): void {
    this.#stop.abort();
  }

  /** Whether the files are no longer needed. */
  async #read({ item: id, whole, isPartial, ...span }: LeftFiles): Promise<boolean> {
    const item = await this.#deps.items.find(id);
    const device = item && this.#deps.device(item.incarnation);
    // Ended items are no longer wanted.
    if (item === undefined || device === undefined || hasEndedState(item.state)) return true;
    const [deviceFromMs, deviceToMs] = [wallMs(span.deviceFromMs), wallMs(span.deviceToMs)];
    const target = ingestTargetOf({ device, item, deviceFromMs, deviceToMs });
    const { signal } = this.#stop;
    const placed = await placeFiles(whole, { target, isPartial, length: this.#deps.ingest.length, signal });
    for (const file of placed) {
      const outcome = file.target && (await this.#deps.ingest.file(file.path, file.target, signal));
      if (outcome?.kind === 'failed' || signal.aborted) return false;
      if (outcome?.kind !== 'stored') await this.#deps.keep(file.path, file.bytes, id);
    }
    return true;
  }
}
