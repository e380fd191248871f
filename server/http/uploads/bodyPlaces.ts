// Room for the bodies of requests that may be large. It is taken before a body is read, since what is refused then takes no memory.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import { callerOf } from '../kernel/caller.ts';
import { type Refusal, refuse } from '../kernel/envelope.ts';

/** A route that takes more asks for room, unless it keeps count by itself. */
const LARGE_BODY_BYTES = 1024 * 1024;

/** In bytes: what the routes of all requests that are under way may take. */
export const LARGE_BODIES_LIMIT: Limit = { name: 'http.large-bodies.bytes', max: 128 * 1024 * 1024 };
/** The same of one user, in all sessions. */
export const USER_LARGE_BODIES_LIMIT: Limit = { name: 'http.large-bodies.bytes.user', max: 64 * 1024 * 1024 };

const TOO_MANY_FILES: Refusal = {
  status: 429,
  code: 'too-many-files',
  message: 'The server is receiving too many files. Try again in a moment.',
};
const RETRY_AFTER_S = 5;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Bounds by itself how many of its requests are under way. */
    boundsBodies?: true;
  }
}

/** For all routes that are registered from now on. */
export function installBodyPlaces(app: FastifyInstance, onLimit: OnLimit): void {
  const room = new BodyRoom(onLimit);
  app.addHook('onRoute', (route) => {
    const bytes = route.bodyLimit ?? 0;
    if (bytes <= LARGE_BODY_BYTES || route.config?.boundsBodies === true) return;
    route.onRequest = [takeRoom(room, bytes), ...[route.onRequest ?? []].flat()];
  });
}

function takeRoom(room: BodyRoom, bytes: number) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const leave = room.enter(String(callerOf(request).user.id), bytes);
    if (leave === undefined) return refuse(reply.header('retry-after', RETRY_AFTER_S), TOO_MANY_FILES);
    return leaveWithReply(reply, leave);
  };
}

/** Gives a place back when the request is over. */
export function leaveWithReply(reply: FastifyReply, leave: () => void): FastifyReply | undefined {
  reply.raw.once('close', leave);
  if (!reply.raw.destroyed) return undefined;
  // The caller has gone while the session was looked up: that close is over, and nobody waits for an answer.
  leave();
  return reply.hijack();
}

/** Counts bytes that requests may come to, in all and by user. */
class BodyRoom {
  readonly #onLimit: OnLimit;
  readonly #taken = new Map<string, number>();
  #all = 0;

  constructor(onLimit: OnLimit) {
    this.#onLimit = onLimit;
  }

  /** The result gives the room back, and may be called twice. Undefined where there is none. */
  enter(user: string, bytes: number): (() => void) | undefined {
    const ofUser = this.#taken.get(user) ?? 0;
    const limit = this.#limitOf(ofUser + bytes, this.#all + bytes);
    if (limit !== undefined) {
      this.#onLimit(limit);
      return undefined;
    }
    this.#all += bytes;
    this.#taken.set(user, ofUser + bytes);
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      this.#leave(user, bytes);
    };
  }

  #limitOf(ofUser: number, all: number): Limit | undefined {
    if (ofUser > USER_LARGE_BODIES_LIMIT.max) return USER_LARGE_BODIES_LIMIT;
    return all > LARGE_BODIES_LIMIT.max ? LARGE_BODIES_LIMIT : undefined;
  }

  #leave(user: string, bytes: number): void {
    this.#all -= bytes;
    const left = (this.#taken.get(user) ?? 0) - bytes;
    if (left > 0) this.#taken.set(user, left);
    else this.#taken.delete(user);
  }
}
