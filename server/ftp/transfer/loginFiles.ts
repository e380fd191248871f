// The files of one upload login: which of the terminal's names means which file, and how much room is left. Independent of the disk.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { OnLimit } from '../../limits/limit.ts';
import { LOGIN_BYTES_LIMIT, LOGIN_FILES_LIMIT } from '../ftpLimits.ts';
import type { FtpUploadLogin } from '../ftpLogin.ts';

export interface StoredFile {
  /** Path on the disk; no part of it came from outside. */
  readonly path: string;
  /** The terminal's present name for the file. */
  virtualPath: string;
  bytes: number;
  isWhole: boolean;
  /** A listener may have been told that the file is whole, and reads it. */
  mayBeRead: boolean;
  /** Ends the transfer that writes to the file, and settles once nothing is written any more. */
  interrupt: (() => Promise<void>) | undefined;
}

export type PlacedFile =
  | { readonly ok: true; readonly file: StoredFile; readonly offset: number }
  | { readonly ok: false; readonly reason: 'too-many' | 'wrong-offset' };

/** Where a transfer begins: at an offset that the terminal names, or at the file's present end. */
export type TransferStart = number | 'end';

type Room = Pick<FtpUploadLogin, 'folder' | 'maxBytes' | 'maxFiles'>;

export class LoginFiles {
  readonly #login: Room;
  readonly #onLimit: OnLimit;
  readonly #byPath = new Map<string, StoredFile>();
  /** Files whose name belongs to another file by now. */
  readonly #replaced: StoredFile[] = [];

  constructor(login: Room, onLimit: OnLimit) {
    this.#login = login;
    this.#onLimit = onLimit;
  }

  find(virtualPath: string): StoredFile | undefined {
    return this.#byPath.get(virtualPath);
  }

  /**
   * The file that a transfer writes to. From its beginning it is a new file if the one of that name is whole: that one may be being
   * read.
   */
  place(virtualPath: string, start: TransferStart): PlacedFile {
    const known = this.#byPath.get(virtualPath);
    const offset = start === 'end' ? (known?.bytes ?? 0) : start;
    if (offset > (known?.bytes ?? 0)) return { ok: false, reason: 'wrong-offset' };
    if (known !== undefined && (offset > 0 || start === 'end' || !known.isWhole))
      return { ok: true, file: known, offset };
    if (this.#byPath.size + this.#replaced.length >= Math.min(this.#login.maxFiles, LOGIN_FILES_LIMIT.max)) {
      this.#onLimit(LOGIN_FILES_LIMIT);
      return { ok: false, reason: 'too-many' };
    }
    if (known !== undefined) this.#replaced.push(known);
    const path = join(this.#login.folder, randomBytes(12).toString('hex'));
    const file: StoredFile = { path, virtualPath, bytes: 0, isWhole: false, mayBeRead: false, interrupt: undefined };
    this.#byPath.set(virtualPath, file);
    return { ok: true, file, offset: 0 };
  }

  /** False when there is no room for that many more bytes. */
  grow(file: StoredFile, bytes: number): boolean {
    if (bytes > this.freeBytes) {
      this.#onLimit(LOGIN_BYTES_LIMIT);
      return false;
    }
    file.bytes += bytes;
    return true;
  }

  get freeBytes(): number {
    const held = [...this.#byPath.values(), ...this.#replaced].reduce((sum, { bytes }) => sum + bytes, 0);
    return Math.min(this.#login.maxBytes, LOGIN_BYTES_LIMIT.max) - held;
  }

  /** Terminals write under a temporary name and then rename. The file that had the new name stays on the disk. */
  rename(from: string, to: string): boolean {
    const file = this.#byPath.get(from);
    if (file === undefined) return false;
    if (from === to) return true;
    const replaced = this.#byPath.get(to);
    if (replaced !== undefined) this.#replaced.push(replaced);
    this.#byPath.delete(from);
    this.#byPath.set(to, file);
    file.virtualPath = to;
    return true;
  }
}
