// The running playback sessions by owner, device and stream number. A page that reconnects finds its session again.
import type { Limit, OnLimit } from '../../limits/limit.ts';
import { TokenBucket } from '../../limits/tokenBucket.ts';
import {
  LINK_MOVES_LIMIT,
  PlaybackSession,
  type SessionDeps,
  type SessionMembership,
  type SessionViewer,
} from './playbackSession.ts';

/** What makes two sockets one session. */
export interface SessionKey {
  readonly username: string;
  readonly credential: string;
  readonly deviceId: string;
  readonly streamId: number;
}

interface Entry {
  readonly credential: string;
  readonly session: PlaybackSession;
  readonly linkMoves: TokenBucket;
  readonly startMs: number;
  cancelEnd: (() => void) | undefined;
}

/** How long a session outlives its last socket. */
const LINGER_MS = 10_000;
/** A page that reconnects requests its start or its last position; any other time starts a new session. */
const SAME_PLACE_MS = 5_000;

/** Playback sessions of one link whose sockets are closed. The one closed first ends; its page starts where its address says. */
export const IDLE_SESSIONS_LIMIT: Limit = { name: 'playback.idle-sessions.credential', max: 8 };
/** Playback sessions of all links whose sockets are closed. The one closed first ends; its page starts where its address says. */
export const ALL_IDLE_SESSIONS_LIMIT: Limit = { name: 'playback.idle-sessions.process', max: 1_000 };

export interface PlaybackSessionsDeps extends SessionDeps {
  readonly onLimit?: OnLimit | undefined;
}

export class PlaybackSessions {
  readonly #deps: PlaybackSessionsDeps;
  readonly #entries = new Map<string, Entry>();

  /** Sessions without a socket, the one left longest ago first. */
  readonly #idle = new Map<Entry, string>();

  constructor(deps: PlaybackSessionsDeps) {
    this.#deps = deps;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Joins the session, or begins it at `startMs`. */
  join(key: SessionKey, startMs: number, viewer: SessionViewer): SessionMembership {
    const text = JSON.stringify([key.username, key.credential, key.deviceId, key.streamId]);
    const entry = this.#find(text, startMs) ?? this.#begin(text, key.credential, startMs);
    entry.cancelEnd?.();
    entry.cancelEnd = undefined;
    this.#idle.delete(entry);
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

  #linger(text: string, entry: Entry): void {
    entry.cancelEnd = this.#deps.runAfter(LINGER_MS, () => this.#end(text, entry));
    this.#idle.set(entry, text);
    const ofCredential = [...this.#idle.keys()].filter(({ credential }) => credential === entry.credential);
    this.#endFirst(ofCredential, IDLE_SESSIONS_LIMIT);
    this.#endFirst([...this.#idle.keys()], ALL_IDLE_SESSIONS_LIMIT);
  }

  #endFirst(idle: readonly Entry[], limit: Limit): void {
    const [first] = idle;
    if (first === undefined || idle.length <= limit.max) return;
    this.#end(this.#idle.get(first) ?? '', first);
    this.#deps.onLimit?.(limit);
  }

  #begin(text: string, credential: string, startMs: number): Entry {
    const linkMoves = this.#movesOf(credential);
    const session = new PlaybackSession(this.#deps, { startMs, linkMoves });
    const entry: Entry = { credential, session, linkMoves, startMs, cancelEnd: undefined };
    this.#entries.set(text, entry);
    return entry;
  }

  /** One for all sessions of a link that run. */
  #movesOf(credential: string): TokenBucket {
    for (const entry of this.#entries.values()) if (entry.credential === credential) return entry.linkMoves;
    const { max } = LINK_MOVES_LIMIT;
    return new TokenBucket({ burst: max, perSecond: max }, this.#deps.now());
  }

  #end(text: string, entry: Entry): void {
    entry.cancelEnd?.();
    this.#idle.delete(entry);
    entry.session.close();
    if (this.#entries.get(text) === entry) this.#entries.delete(text);
  }
}
