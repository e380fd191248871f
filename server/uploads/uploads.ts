// Large files that members hand in, in parts. What has been received is what the file holds: a part counts once it would survive a
// power cut, and a connection or a gateway that ends in the middle of one costs that part alone.
import type { UploadBegin, UploadPurpose } from '../../shared/protocol/api/uploads/uploads.ts';
import { inBackground } from '../faults/background.ts';
import type { OnFault } from '../faults/onFault.ts';
import type { After } from '../faults/timers.ts';
import type { Limit, OnLimit } from '../limits/limit.ts';
import type { StoredUpload, UploadStore } from '../store/firmware/uploads.ts';
import type { Outcome } from '../store/outcome.ts';
import { type HashedFile, sha256OfFile } from './fileHash.ts';
import { InTurn } from './inTurn.ts';
import type { UploadFiles } from './uploadFiles.ts';
import {
  type BeginFault,
  BYTES_LIMITS,
  beginFault,
  hasRoomFor,
  isSame,
  type Room,
  repeatedBytes,
  UPLOAD_LIFETIME_MS,
  UPLOADS_LIMIT,
} from './uploadRules.ts';

/**
 * Data that all unfinished uploads together have received, at most `UPLOAD_MAX_MB`; what was announced and hasn't come doesn't count. An
 * upload that wouldn't fit now, or a part of one that no longer fits, is refused with 507 `upload-disk-full`, and so is one that would
 * leave less than 512 MiB of the disk free.
 */
const UPLOAD_BYTES_LIMIT: Pick<Limit, 'name'> = { name: 'uploads.bytes' };
const SWEEP_EVERY_MS = 600_000;

export interface UploadState extends StoredUpload {
  readonly receivedBytes: number;
}

export interface UploadPart {
  readonly id: string;
  readonly userId: number;
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** `full`: the disk. */
export type PartFault = 'gone' | 'misplaced' | 'full';
/** `hash`: it isn't what was announced; it is removed, since no part of it can be trusted. */
export type TakeFault = 'gone' | 'incomplete' | 'hash';

export interface WantedUpload {
  readonly id: string;
  readonly userId: number;
  readonly purpose: UploadPurpose;
}

export interface TakenUpload {
  /** May be moved elsewhere. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface UploadsDeps {
  readonly store: UploadStore;
  readonly files: Pick<UploadFiles, 'start' | 'create' | 'size' | 'append' | 'remove' | 'ids' | 'freeBytes' | 'pathOf'>;
  /** A random id: 32 hex digits. */
  readonly createId: () => string;
  readonly maxBytes: number;
  readonly now: () => number;
  readonly runAfter: After;
  readonly onLimit: OnLimit;
  readonly onFault: OnFault;
}

export class Uploads {
  readonly #deps: UploadsDeps;
  readonly #turns = new InTurn();
  #cancelSweep: () => void = () => undefined;

  constructor(deps: UploadsDeps) {
    this.#deps = deps;
  }

  /** Removes what an earlier run has left: files without a row, rows without a file, and what is too old. */
  async start(): Promise<void> {
    await this.#deps.files.start();
    await this.sweep();
    this.#sweepLater();
  }

  close(): void {
    this.#cancelSweep();
  }

  /**
   * One at a time, of all users: each counts the uploads before it. Gives the user's own where it is of the same file: a page
   * that was closed has left it, and it would count among the few that a user may have until it expires.
   */
  begin(wanted: UploadBegin, userId: number): Promise<Outcome<UploadState, BeginFault>> {
    return this.#turns.run('begin', async () => {
      const { store, files, now, createId } = this.#deps;
      const open = await this.#all();
      const same = open.find((upload) => isSame(upload, wanted, { userId, nowMs: now() }));
      if (same !== undefined && (await files.size(same.id)) !== undefined) return { ok: true, value: same };
      const reason = beginFault(wanted, userId, open, await this.#room());
      if (reason !== undefined) return this.#refuse(reason, wanted.purpose);
      const times = { createdAtMs: now(), expiresAtMs: now() + UPLOAD_LIFETIME_MS };
      const { purpose, bytes, sha256 } = wanted;
      const upload: StoredUpload = { id: createId(), userId, purpose, bytes, sha256, ...times };
      // In this order: a file without a row is removed at the next start, a row without a file would be an upload that takes nothing.
      const isMade = await this.#unlessFull(() => files.create(upload.id));
      if (!isMade) return { ok: false, reason: 'full' };
      await store.add(upload);
      return { ok: true, value: { ...upload, receivedBytes: 0 } };
    });
  }

  /** Undefined for one that is another user's, too old, or not there. */
  async state(id: string, userId: number): Promise<UploadState | undefined> {
    const upload = await this.#find(id, userId);
    return upload && this.#withReceived(upload);
  }

  /** Parts of one upload are written one after another. */
  part({ id, userId, offset, bytes }: UploadPart): Promise<Outcome<UploadState, PartFault>> {
    return this.#turns.run(id, async () => {
      const upload = await this.state(id, userId);
      if (upload === undefined) return { ok: false, reason: 'gone' };
      const { receivedBytes } = upload;
      const repeated = repeatedBytes({ offset, length: bytes.length }, receivedBytes, upload.bytes);
      if (repeated === undefined) return { ok: false, reason: 'misplaced' };
      const added = bytes.subarray(repeated);
      if (added.length === 0) return { ok: true, value: upload };
      if (!hasRoomFor(added.length, await this.#all(), await this.#room())) return this.#refuse('full', upload.purpose);
      const isWritten = await this.#unlessFull(() => this.#deps.files.append(id, receivedBytes, added));
      if (!isWritten) return { ok: false, reason: 'full' };
      return { ok: true, value: { ...upload, receivedBytes: receivedBytes + added.length } };
    });
  }

  /** False for one that isn't there. */
  drop(id: string, userId: number): Promise<boolean> {
    return this.#turns.run(id, async () => {
      const upload = await this.#find(id, userId);
      if (upload !== undefined) await this.#remove(id);
      return upload !== undefined;
    });
  }

  /** One that has come whole, before it is taken: nothing has been compared with its hash yet. */
  async whole({ id, userId, purpose }: WantedUpload): Promise<Outcome<TakenUpload, Exclude<TakeFault, 'hash'>>> {
    const upload = await this.state(id, userId);
    if (upload?.purpose !== purpose) return { ok: false, reason: 'gone' };
    if (upload.receivedBytes < upload.bytes) return { ok: false, reason: 'incomplete' };
    return { ok: true, value: { path: this.#deps.files.pathOf(id), bytes: upload.bytes, sha256: upload.sha256 } };
  }

  /**
   * Hands a whole upload over, once its content has been compared with the hash that was announced. It is over when `use` has
   * succeeded; else it stays, to be taken again. `hashOf`: of whoever reads the file anyway.
   */
  take<Value, Refusal>(
    wanted: WantedUpload,
    use: (upload: TakenUpload) => Promise<Outcome<Value, Refusal>>,
    hashOf: (path: string) => Promise<HashedFile | undefined> = sha256OfFile,
  ): Promise<Outcome<Value, Refusal | TakeFault>> {
    return this.#turns.run(wanted.id, async () => {
      const whole = await this.whole(wanted);
      if (!whole.ok) return whole;
      const { path, bytes, sha256 } = whole.value;
      const found = await hashOf(path);
      if (found?.sha256 !== sha256 || found.bytes !== bytes) {
        await this.#remove(wanted.id);
        return { ok: false, reason: 'hash' };
      }
      const used = await use(whole.value);
      if (used.ok) await this.#remove(wanted.id);
      return used;
    });
  }

  async sweep(): Promise<void> {
    const { store, files, now } = this.#deps;
    for (const { id, expiresAtMs } of await store.all()) {
      if (expiresAtMs > now() && (await files.size(id)) !== undefined) continue;
      await this.#turns.run(id, () => this.#remove(id));
    }
    // In turn with beginnings, between whose file and row nothing may be removed.
    await this.#turns.run('begin', async () => {
      const known = new Set((await store.all()).map(({ id }) => id));
      for (const id of await files.ids()) if (!known.has(id)) await files.remove(id);
    });
  }

  #sweepLater(): void {
    const { runAfter, onFault } = this.#deps;
    this.#cancelSweep = runAfter(SWEEP_EVERY_MS, () => {
      inBackground('old uploads could not be removed', this.sweep(), onFault);
      this.#sweepLater();
    });
  }

  async #find(id: string, userId: number): Promise<StoredUpload | undefined> {
    const upload = await this.#deps.store.find(id);
    if (upload === undefined || upload.userId !== userId || upload.expiresAtMs <= this.#deps.now()) return undefined;
    return (await this.#deps.files.size(id)) === undefined ? undefined : upload;
  }

  async #all(): Promise<UploadState[]> {
    return Promise.all((await this.#deps.store.all()).map((upload) => this.#withReceived(upload)));
  }

  async #room(): Promise<Room> {
    const { files, maxBytes } = this.#deps;
    return { freeBytes: await files.freeBytes(), maxBytes };
  }

  async #withReceived(upload: StoredUpload): Promise<UploadState> {
    return { ...upload, receivedBytes: (await this.#deps.files.size(upload.id)) ?? 0 };
  }

  async #remove(id: string): Promise<void> {
    await this.#deps.store.remove(id);
    await this.#deps.files.remove(id);
  }

  #refuse<Reason extends BeginFault>(
    reason: Reason,
    purpose: UploadPurpose,
  ): { readonly ok: false; readonly reason: Reason } {
    const { onLimit, maxBytes } = this.#deps;
    if (reason === 'too-large') onLimit(BYTES_LIMITS[purpose]);
    else if (reason === 'too-many') onLimit(UPLOADS_LIMIT);
    else onLimit({ ...UPLOAD_BYTES_LIMIT, max: maxBytes });
    return { ok: false, reason };
  }

  /** False when the disk has no room for it. */
  async #unlessFull(write: () => Promise<void>): Promise<boolean> {
    try {
      await write();
      return true;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : '';
      if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error;
      this.#deps.onFault(error as Error);
      return false;
    }
  }
}
