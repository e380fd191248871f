// Files that the gateway writes while a browser downloads them. The browser fetches such a file by itself, without the headers
// of a page, so it is given an address that works once, for a minute as a rule, and stands for the caller who asked for it.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { DOWNLOAD_PATH } from '../../../../shared/protocol/api/lists.ts';
import { createSecret, hashSecret, SECRET_FORM } from '../../../auth/secrets.ts';
import type { Sessions } from '../../../auth/sessions.ts';
import { KeyedCount } from '../../../limits/keyedCount.ts';
import type { Limit, OnLimit } from '../../../limits/limit.ts';
import type { PermissionsAccess } from '../access.ts';
import { callerOf } from '../caller.ts';
import { ErrorAnswers, type Refusal, refuse } from '../envelope.ts';
import { recognise, refusalFor } from '../recognise.ts';

/**
 * Addresses of downloads that nobody has opened yet, of all accounts; each lasts for one minute. The oldest stops working, and opening it
 * answers 404 `no-such-download`.
 */
export const DOWNLOAD_ADDRESSES_LIMIT: Limit = { name: 'http.downloads.waiting', max: 1_000 };
/**
 * Addresses of downloads that nobody has opened yet, of one account, which must not push out those of others. The oldest of the account
 * stops working.
 */
export const DOWNLOAD_ADDRESSES_SHARE: Limit = { name: 'http.downloads.waiting-account', max: 20 };
/**
 * Downloads of one account at a time: each has statements wait for the database. A further one is refused with 429 `too-many-downloads`.
 */
export const DOWNLOADS_LIMIT: Limit = { name: 'http.downloads.account', max: 4 };
const ADDRESS_LASTS_MS = 60_000;

declare module 'fastify' {
  interface FastifyInstance {
    readonly downloads: Downloads;
  }
}

interface Offered {
  /** Asked again when the address is used, and while the file is on its way. */
  readonly access: PermissionsAccess;
  /** How long the address may wait; left out: a minute. */
  readonly lastsMs?: number;
  /** `request` is the one that asked for the address, with its caller as of now. */
  readonly send: (
    request: FastifyRequest,
    reply: FastifyReply,
    isAllowed: () => Promise<boolean>,
  ) => FastifyReply | Promise<FastifyReply>;
}

interface Waiting extends Offered {
  readonly request: FastifyRequest;
  /** User name. */
  readonly account: string;
  readonly untilMs: number;
}

export interface DownloadsDeps {
  readonly sessions: Sessions;
  readonly onLimit: OnLimit;
  readonly now: () => number;
}

const GONE: Refusal = {
  status: 404,
  code: 'no-such-download',
  message: 'This download address was already used or has expired. Start the export again.',
};
const TOO_MANY: Refusal = {
  status: 429,
  code: 'too-many-downloads',
  message: 'Too many exports are running. Wait for one to finish and try again.',
};

class Downloads {
  readonly #deps: DownloadsDeps;
  /** Downloads by the hash of the address's secret, the oldest first. */
  readonly #waiting = new Map<string, Waiting>();
  readonly #running: KeyedCount;

  constructor(deps: DownloadsDeps) {
    this.#deps = deps;
    this.#running = new KeyedCount(DOWNLOADS_LIMIT, deps.onLimit);
  }

  /** Gives the address of a file that is written when it is asked for. */
  offer(request: FastifyRequest, offered: Offered): string {
    const account = callerOf(request).user.username;
    this.#makeRoom(account);
    const secret = createSecret();
    const untilMs = this.#deps.now() + (offered.lastsMs ?? ADDRESS_LASTS_MS);
    this.#waiting.set(hashSecret(secret), { ...offered, request, account, untilMs });
    return `${DOWNLOAD_PATH}/${secret}`;
  }

  async send(secret: string, reply: FastifyReply): Promise<FastifyReply> {
    const waiting = this.#take(secret);
    if (waiting === undefined) return refuse(reply, GONE);
    const { request, access, account } = waiting;
    const refusal = await this.#ask(request, access);
    if (refusal !== undefined) return refuse(reply, refusal);
    const leave = this.#running.enter(account);
    if (leave === undefined) return refuse(reply, TOO_MANY);
    reply.raw.once('close', leave);
    // The browser may have gone while the caller was looked up.
    if (reply.raw.destroyed) leave();
    const isAllowed = async () => (await this.#ask(request, access)) === undefined;
    return waiting.send(request, reply.header('cache-control', 'no-store'), isAllowed);
  }

  #take(secret: string): Waiting | undefined {
    if (!SECRET_FORM.test(secret)) return undefined;
    const key = hashSecret(secret);
    const waiting = this.#waiting.get(key);
    this.#waiting.delete(key);
    return waiting !== undefined && waiting.untilMs > this.#deps.now() ? waiting : undefined;
  }

  /** Why the caller may not have it any more, if so. */
  async #ask(request: FastifyRequest, access: PermissionsAccess): Promise<Refusal | undefined> {
    request.caller = await recognise(request, this.#deps.sessions);
    return refusalFor(request.caller, access.all);
  }

  #makeRoom(account: string): void {
    const now = this.#deps.now();
    for (const [key, { untilMs }] of this.#waiting) if (untilMs <= now) this.#waiting.delete(key);
    const own = [...this.#waiting].filter(([, waiting]) => waiting.account === account).map(([key]) => key);
    if (own.length >= DOWNLOAD_ADDRESSES_SHARE.max) this.#dropOldest(own, DOWNLOAD_ADDRESSES_SHARE);
    else if (this.#waiting.size >= DOWNLOAD_ADDRESSES_LIMIT.max) {
      this.#dropOldest(this.#waiting.keys(), DOWNLOAD_ADDRESSES_LIMIT);
    }
  }

  #dropOldest(keys: Iterable<string>, limit: Limit): void {
    const [oldest] = keys;
    if (oldest !== undefined) this.#waiting.delete(oldest);
    this.#deps.onLimit(limit);
  }
}

/** `GET /api/download/:secret`. */
export function installDownloads(app: FastifyInstance, deps: DownloadsDeps): void {
  const downloads = new Downloads(deps);
  app.decorate('downloads', downloads);
  const schema = {
    summary: 'A file, by the address that another call has given; works once',
    params: Type.Object({ secret: Type.String({ maxLength: 64 }) }),
    response: ErrorAnswers,
  };
  // The address is the secret, and a look at its head must not spend it.
  const options = { schema, config: { access: { kind: 'public' } }, exposeHeadRoute: false } as const;
  app.get(`${DOWNLOAD_PATH}/:secret`, options, (request, reply) =>
    downloads.send((request.params as { readonly secret: string }).secret, reply),
  );
}
