// How many streams one link and one session have open.
import type { WebSocket } from 'ws';
import { hashSecret } from '../auth/secrets.ts';
import { KeyedCount } from '../limits/keyedCount.ts';
import type { Limit, OnLimit } from '../limits/limit.ts';
import type { Refusal } from '../sockets/refusal.ts';

/** Of a link that was given to many: sixteen pages of eight channels. */
export const CREDENTIAL_SOCKETS_LIMIT: Limit = { name: 'stream.sockets.credential', max: 128 };
/** By all links that our own pages made in a session: as many as a browser opens at all, which is 255 in Chromium. */
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

  /** Counts the socket until it closes; the refusal when there are too many already. Asked before the database is. */
  enterByCredential(socket: WebSocket, credential: string): Refusal | undefined {
    // By its hash: what a stranger makes up may be long, and no secret is kept for longer than it is needed.
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
