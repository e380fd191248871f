// How many streams one link and one session have open.
import type { WebSocket } from 'ws';
import { hashSecret } from '../auth/secrets.ts';
import { KeyedCount } from '../limits/keyedCount.ts';
import type { Limit, OnLimit } from '../limits/limit.ts';
import type { Refusal } from '../sockets/refusal.ts';

/**
 * Streams and controls of one link, which may be given to many viewers: sixteen pages of eight channels. The next gets `too-many-streams`
 * and is closed.
 */
export const CREDENTIAL_SOCKETS_LIMIT: Limit = { name: 'stream.sockets.credential', max: 128 };
/**
 * Streams of all links of our own pages in one session: as many sockets as a browser opens, 255 in Chromium. The next gets
 * `too-many-streams` and is closed.
 */
export const SESSION_SOCKETS_LIMIT: Limit = { name: 'stream.sockets.session', max: 256 };

const TOO_MANY: Refusal = {
  code: 'too-many-streams',
  message: 'Too many videos are open. Close some video pages and try again.',
};

export class StreamLimits {
  readonly #byCredential: KeyedCount;
  readonly #bySession: KeyedCount;

  constructor(onLimit: OnLimit) {
    this.#byCredential = new KeyedCount(CREDENTIAL_SOCKETS_LIMIT, onLimit);
    this.#bySession = new KeyedCount(SESSION_SOCKETS_LIMIT, onLimit);
  }

  /** Counts the socket until it closes; returns a refusal when there are too many. Checked before the database is queried. */
  enterByCredential(socket: WebSocket, credential: string): Refusal | undefined {
    // Keyed by hash: a made-up credential may be long, and secrets aren't kept longer than needed.
    return enter(this.#byCredential, hashSecret(credential), socket);
  }

  /** `session` as the database knows it; undefined for a link that belongs to none. */
  enterBySession(socket: WebSocket, session: string | undefined): Refusal | undefined {
    return session === undefined ? undefined : enter(this.#bySession, session, socket);
  }
}

function enter(count: KeyedCount, key: string, socket: WebSocket): Refusal | undefined {
  const leave = count.enter(key);
  if (leave === undefined) return TOO_MANY;
  socket.on('close', leave);
  return undefined;
}
