// Who asks, and whether the route's declaration lets them: decided here for every route, before its handler runs.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { LinkAccess, LinkOpened } from '../auth/linkAccess.ts';
import { secretsEqual } from '../auth/secrets.ts';
import type { Sessions, SignedIn } from '../auth/sessions.ts';
import type { Access } from './access.ts';
import { type Refusal, Refused, refuse } from './envelope.ts';
import { isAllowedOrigin } from './origin.ts';
import { readSessionCookie } from './sessionCookie.ts';

/** By what the caller was recognised. A frame token never becomes a cookie, so some routes must know. */
export type RecognisedBy = 'cookie' | 'frame-token';

export type Caller = SignedIn & { readonly by: RecognisedBy };

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for the routes that need or want to know. */
    caller: Caller | undefined;
    /** What the caller's link opens; set for routes of kind `link`. */
    linkOpened: LinkOpened | undefined;
  }
}

export interface CallerDeps {
  readonly sessions: Sessions;
  readonly linkAccess: LinkAccess;
  readonly metricsToken: string | undefined;
}

export const FRAME_TOKEN_HEADER = 'connect-sid';

const CHANGES_NOTHING = new Set(['GET', 'HEAD', 'OPTIONS']);

export function installCallers(app: FastifyInstance, deps: CallerDeps): void {
  app.decorateRequest('caller', undefined);
  app.decorateRequest('linkOpened', undefined);
  // Before the body is read: who may not ask need not be listened to.
  app.addHook('onRequest', async (request, reply) => {
    const refusal = await admit(request, deps);
    if (refusal !== undefined) return refuse(reply, refusal);
    return undefined;
  });
  // After validation: the query and the body name the link and its device.
  app.addHook('preHandler', async (request, reply) => {
    const access = request.routeOptions.config.access;
    if (access?.kind !== 'link') return undefined;
    return (await openLink(request, access.link, deps.linkAccess)) ? undefined : refuse(reply, Refused.link);
  });
}

async function admit(request: FastifyRequest, deps: CallerDeps): Promise<Refusal | undefined> {
  const secure = request.protocol === 'https';
  if (!CHANGES_NOTHING.has(request.method) && !isAllowedOrigin(request.headers, secure)) return Refused.foreignOrigin;
  const access: Access = request.routeOptions.config.access ?? { kind: 'public' };
  switch (access.kind) {
    case 'public':
      if (access.recognise === true) request.caller = await recognise(request, deps.sessions);
      return undefined;
    case 'signed-in':
      request.caller = await recognise(request, deps.sessions);
      return request.caller === undefined ? Refused.notSignedIn : undefined;
    case 'permissions':
      request.caller = await recognise(request, deps.sessions);
      return refusalFor(request.caller, access.all);
    case 'link':
      return undefined;
    case 'metrics':
      return holdsMetricsToken(request, deps.metricsToken) ? undefined : Refused.notFound;
  }
}

function refusalFor(caller: Caller | undefined, needed: readonly string[]): Refusal | undefined {
  if (caller === undefined) return Refused.notSignedIn;
  return needed.every((permission) => caller.user.permissions.includes(permission)) ? undefined : Refused.forbidden;
}

/** A request that carries a frame token is the token's, even when a cookie came along and the token is no good. */
async function recognise(request: FastifyRequest, sessions: Sessions): Promise<Caller | undefined> {
  const token = request.headers[FRAME_TOKEN_HEADER];
  if (token !== undefined) {
    const found = await sessions.findByFrameToken(String(token));
    return found === undefined ? undefined : { ...found, by: 'frame-token' };
  }
  const id = readSessionCookie(request);
  const found = id === undefined ? undefined : await sessions.find(id);
  return found === undefined ? undefined : { ...found, by: 'cookie' };
}

async function openLink(
  request: FastifyRequest,
  kind: Extract<Access, { kind: 'link' }>['link'],
  linkAccess: LinkAccess,
): Promise<boolean> {
  const { username, credential, deviceid } = { ...textsOf(request.body), ...textsOf(request.query) };
  if (username === undefined || credential === undefined || deviceid === undefined) return false;
  const answer = await linkAccess.check({ username, credential, deviceId: deviceid, kind });
  if (answer.ok) request.linkOpened = answer;
  return answer.ok;
}

function textsOf(fields: unknown): Partial<Record<string, string>> {
  if (typeof fields !== 'object' || fields === null) return {};
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === 'string'));
}

function holdsMetricsToken(request: FastifyRequest, token: string | undefined): boolean {
  const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
  return token !== undefined && given !== undefined && secretsEqual(given, token);
}

/** The caller of a route that does not run without one. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === undefined) throw new Error('the route declares no access that finds its caller');
  return request.caller;
}

/** What the audit and the sessions note of who asks. */
export function visitorOf(request: FastifyRequest): { readonly address: string; readonly userAgent: string } {
  return { address: request.ip, userAgent: request.headers['user-agent'] ?? '' };
}
