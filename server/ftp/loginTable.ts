// The open logins, by their usernames.
import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import type { DeviceOwners } from '../limits/deviceOwners.ts';
import { GroupPlaces } from '../limits/groupPlaces.ts';
import type { OnLimit } from '../limits/limit.ts';
import { LOGINS_LIMIT } from './ftpLimits.ts';
import type { FtpAddress, FtpLogin } from './ftpLogin.ts';
import { LoginFiles } from './transfer/loginFiles.ts';

export interface LoginTableDeps {
  /** The host that terminals dial instead of the address of their signaling. */
  readonly publicHost: string | undefined;
  readonly port: () => number;
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onLimit: OnLimit;
  readonly owners: Pick<DeviceOwners, 'ofDevice' | 'count'>;
}

/** A login, and the state that its connections share. */
export interface OpenLogin {
  readonly login: FtpLogin;
  /** The folder of the login; for a download: the file itself. */
  readonly path: string;
  /** Undefined for a download. */
  readonly files: LoginFiles | undefined;
  isOpen: boolean;
  /** Callbacks of its connections: each is called when the login has ended. */
  readonly connections: Set<() => void>;
}

interface Entry extends OpenLogin {
  readonly passwordHash: Buffer;
  readonly cancelTimer: () => void;
  /** Gives back the login's place. */
  readonly leave: () => void;
}

/** Letters and digits that no terminal and no reader confuses; username and password stay below the 16 bytes of small fields. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
const USER_CHARACTERS = 8;
const PASSWORD_CHARACTERS = 12;
/** The longest delay that a timer takes. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export class LoginTable {
  readonly #deps: LoginTableDeps;
  readonly #entries = new Map<string, Entry>();
  readonly #places: GroupPlaces;

  constructor(deps: LoginTableDeps) {
    const { owners, onLimit } = deps;
    this.#deps = deps;
    this.#places = new GroupPlaces({ limit: LOGINS_LIMIT, onLimit, groups: () => owners.count });
  }

  get size(): number {
    return this.#entries.size;
  }

  open(login: FtpLogin): { readonly address: FtpAddress; readonly close: () => void } | undefined {
    const { owners, onLimit, publicHost, port, now, runAfter } = this.#deps;
    const leave = this.#places.enter(owners.ofDevice(login.deviceId));
    if (leave === undefined) return undefined;
    const user = randomText(USER_CHARACTERS);
    const password = randomText(PASSWORD_CHARACTERS);
    const path = login.kind === 'upload' ? `/${randomText(USER_CHARACTERS)}` : `/${randomText(USER_CHARACTERS)}.bin`;
    const close = (): void => this.#close(user);
    const entry: Entry = {
      login,
      path,
      files: login.kind === 'upload' ? new LoginFiles(login, onLimit) : undefined,
      isOpen: true,
      connections: new Set(),
      passwordHash: hashOf(password),
      leave,
      cancelTimer: runAfter(Math.min(Math.max(0, login.untilMs - now()), MAX_TIMER_MS), close),
    };
    this.#entries.set(user, entry);
    return { address: { host: publicHost ?? login.localAddress, port: port(), user, password, path }, close };
  }

  /** Undefined for a wrong name, password or address alike, so that an attacker can't tell which was wrong. */
  find(user: string, password: string, remoteAddress: string): OpenLogin | undefined {
    const entry = this.#entries.get(user);
    // Compared in any case, so that it takes the same time for names that don't exist.
    const isRight = timingSafeEqual(entry?.passwordHash ?? NO_HASH, hashOf(password));
    if (entry === undefined || !isRight || this.#deps.now() >= entry.login.untilMs) return undefined;
    const { remoteAddress: expected } = entry.login;
    return expected === undefined || expected === remoteAddress ? entry : undefined;
  }

  close(): void {
    for (const user of [...this.#entries.keys()]) this.#close(user);
  }

  #close(user: string): void {
    const entry = this.#entries.get(user);
    if (entry === undefined) return;
    this.#entries.delete(user);
    entry.isOpen = false;
    entry.leave();
    entry.cancelTimer();
    for (const end of [...entry.connections]) end();
  }
}

const NO_HASH = Buffer.alloc(32);

function hashOf(password: string): Buffer {
  return createHash('sha256').update(password).digest();
}

function randomText(characters: number): string {
  return Array.from({ length: characters }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
