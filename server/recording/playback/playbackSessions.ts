// The playback sessions that run, by who asks, device and stream number. A page that loses its connection finds its own again.
import type { Limit } from '../../limits/limit.ts';
import { PlaybackSession, type SessionDeps, type SessionMembership, type SessionViewer } from './playbackSession.ts';

/** What makes two sockets one session. */
export interface SessionKey {
  readonly username: string;
  readonly credential: string;
  readonly deviceId: string;
  readonly streamId: number;
}

interface Entry {
  readonly session: PlaybackSession;
  readonly startMs: number;
  cancelEnd: (() => void) | undefined;
}

/** How long a session outlives its last socket. */
export const LINGER_MS = 10_000;
/** A page that comes back may ask for its start or for where it was. Another time is another wish. */
const SAME_PLACE_MS = 5_000;

/** Sessions without a socket: a stream id costs a page nothing, so they are bounded in number as well as in time. */
export const WAITING_SESSIONS_LIMIT: Limit = { name: 'playback.waiting-sessions.process', max: 200 };

export class PlaybackSessions {
  readonly #deps: SessionDeps;
  readonly #entries = new Map<string, Entry>();
  /** The one that lost its last socket first comes first. */
  readonly #waiting = new Map<string, Entry>();

  constructor(deps: SessionDeps) {
    this.#deps = deps;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Joins the session, or begins it at `startMs`. */
  join(key: SessionKey, startMs: number, viewer: SessionViewer): SessionMembership {
    const text = JSON.stringify([key.username, key.credential, key.deviceId, key.streamId]);
    const entry = this.#find(text, startMs) ?? this.#begin(text, startMs);
    entry.cancelEnd?.();
    entry.cancelEnd = undefined;
    this.#waiting.delete(text);
    const membership = entry.session.join(viewer);
    let isIn = true;
    return {
      handle: (message) => {
        if (isIn) membership.handle(message);
      },
      leave: () => {
        if (!isIn) return;
        isIn = false;
        membership.leave();
        if (entry.session.size === 0) this.#linger(text, entry);
      },
    };
  }

  close(): void {
    for (const [text, entry] of this.#entries) this.#end(text, entry);
  }

  #find(text: string, startMs: number): Entry | undefined {
    const entry = this.#entries.get(text);
    if (entry === undefined || entry.session.size > 0) return entry;
    const isSamePlace = entry.startMs === startMs || Math.abs(entry.session.positionMs - startMs) <= SAME_PLACE_MS;
    if (isSamePlace) return entry;
    this.#end(text, entry);
    return undefined;
  }

  #begin(text: string, startMs: number): Entry {
    const entry: Entry = { session: new PlaybackSession(this.#deps, startMs), startMs, cancelEnd: undefined };
    this.#entries.set(text, entry);
    return entry;
  }

  #linger(text: string, entry: Entry): void {
    entry.cancelEnd = this.#deps.after(LINGER_MS, () => this.#end(text, entry));
    this.#waiting.set(text, entry);
    if (this.#waiting.size <= WAITING_SESSIONS_LIMIT.max) return;
    this.#deps.onLimit?.(WAITING_SESSIONS_LIMIT);
    const [oldest] = this.#waiting;
    if (oldest !== undefined) this.#end(...oldest);
  }

  #end(text: string, entry: Entry): void {
    entry.cancelEnd?.();
    if (this.#waiting.get(text) === entry) this.#waiting.delete(text);
    entry.session.close();
    if (this.#entries.get(text) === entry) this.#entries.delete(text);
  }
}
