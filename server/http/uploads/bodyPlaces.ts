// Room for the bodies of requests that may be large. It is taken before a body is read, since what is refused then takes no memory.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { shareOf } from '../../limits/groupPlaces.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import { callerOf } from '../kernel/caller.ts';
import { type CallerScope, scopeOf } from '../kernel/callerScope.ts';
import { type Refusal, refuse } from '../kernel/envelope.ts';

/** A route that takes more asks for room, unless it keeps count by itself. */
const LARGE_BODY_BYTES = 1024 * 1024;

/**
 * Maximum that the bodies of all running requests may come to, of routes that take more than 1 MiB; parts of uploads are counted by
 * themselves. Shared by the member groups of the sessions. A request is refused with 429 `too-many-files` and `retry-after` before its body
 * is read.
 */
export const LARGE_BODIES_LIMIT: Limit = { name: 'http.large-bodies.bytes', max: 128 * 1024 * 1024 };
/**
 * Maximum that the bodies of all running requests of one user may come to, in all sessions, of routes that take more than 1 MiB. A request
 * is refused with 429 `too-many-files` and `retry-after` before its body is read.
 */
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

/** Applies to all routes that are registered from now on. */
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
    const leave = room.enter(scopeOf(callerOf(request)), bytes);
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

type Sender = Pick<CallerScope, 'userId' | 'memberGroup'>;

interface UnderWay extends Sender {
  readonly bytes: number;
}

/** Counts bytes that requests may come to, in all, by user and by member group. */
class BodyRoom {
  readonly #onLimit: OnLimit;
  readonly #underWay = new Set<UnderWay>();

  constructor(onLimit: OnLimit) {
    this.#onLimit = onLimit;
  }

  /** The returned function gives the room back, and may be called twice. Undefined where there is no room. */
  enter({ userId, memberGroup }: Sender, bytes: number): (() => void) | undefined {
    const one: UnderWay = { userId, memberGroup, bytes };
    const limit = this.#limitOf(one);
    if (limit !== undefined) {
      this.#onLimit(limit);
      return undefined;
    }
    this.#underWay.add(one);
    return () => void this.#underWay.delete(one);
  }

  #limitOf({ userId, memberGroup, bytes }: UnderWay): Limit | undefined {
    const ofUser = this.#bytesOf((each) => each.userId === userId);
    if (ofUser + bytes > USER_LARGE_BODIES_LIMIT.max) return USER_LARGE_BODIES_LIMIT;
    const others = this.#bytesOf((each) => each.memberGroup !== memberGroup);
    const ofGroup = this.#bytesOf((each) => each.memberGroup === memberGroup);
    // Two groups are assumed whatever their number, which keeps a quarter of what is left for others.
    const share = shareOf(LARGE_BODIES_LIMIT.max, { others, groups: 2 });
    // The first file of a group only needs room.
    const most = ofGroup === 0 ? LARGE_BODIES_LIMIT.max - others : share;
    return ofGroup + bytes > most ? LARGE_BODIES_LIMIT : undefined;
  }

  #bytesOf(counts: (each: UnderWay) => boolean): number {
    return [...this.#underWay].reduce((sum, each) => sum + (counts(each) ? each.bytes : 0), 0);
  }
}
