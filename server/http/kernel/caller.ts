// Who asks, and whether the route's declaration lets them: decided here for every route, before its handler runs.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { LinkAccess, LinkOpened } from '../../auth/linkAccess.ts';
import type { LinkUses } from '../../auth/linkUses.ts';
import { secretsEqual } from '../../auth/secrets.ts';
import type { Sessions } from '../../auth/sessions.ts';
import type { TerminalDownload, TerminalDownloads } from '../../firmware/images/imageLinkTable.ts';
import { NO_GROUP } from '../../noGroup.ts';
import type { DeviceStore } from '../../store/devices/devices.ts';
import type { ArchiveStore } from '../../store/recordings/archives.ts';
import type { EvidenceHoldStore } from '../../store/recordings/evidenceHolds.ts';
import type { Access } from './access.ts';
import { scopeOf } from './callerScope.ts';
import { type DeviceOpened, openDevice } from './deviceOpened.ts';
import { type Refusal, Refused, refuse } from './envelope.ts';
import { isAllowedOrigin } from './origin.ts';
import { type Caller, recognise, refusalFor, refusalForAny, textsOf } from './recognise.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for the routes that need or want to know. */
    caller: Caller | undefined;
    /** What the caller's link opens; set for routes of kind `link`. */
    linkOpened: LinkOpened | undefined;
    /** What the caller's link or session opens; set for routes of kind `link-or-permission`. */
    deviceOpened: DeviceOpened | undefined;
    /** What the address opens; set for routes of kind `terminal`. */
    terminalDownload: TerminalDownload | undefined;
  }
}

export interface CallerDeps {
  readonly sessions: Sessions;
  readonly linkAccess: LinkAccess;
  readonly linkUses: Pick<LinkUses, 'note'>;
  readonly devices: Pick<DeviceStore, 'findByDeviceId'>;
  readonly evidenceHolds: Pick<EvidenceHoldStore, 'find'>;
  readonly archives: Pick<ArchiveStore, 'ownerships'>;
  readonly terminalDownloads: Pick<TerminalDownloads, 'find'>;
  readonly metricsToken: string | undefined;
}

const CHANGES_NOTHING = new Set(['GET', 'HEAD', 'OPTIONS']);

export function installCallers(app: FastifyInstance, deps: CallerDeps): void {
  app.decorateRequest('caller', undefined);
  app.decorateRequest('linkOpened', undefined);
  app.decorateRequest('deviceOpened', undefined);
  app.decorateRequest('terminalDownload', undefined);
  // Before the body is read: who may not ask need not be listened to.
  app.addHook('onRequest', async (request, reply) => {
    const refusal = await admit(request, deps);
    if (refusal !== undefined) return refuse(reply, refusal);
    return undefined;
  });
  // After validation: the query and the body name the link and its device.
  app.addHook('preHandler', async (request, reply) => {
    const { access, addsToGroup } = request.routeOptions.config;
    if (addsToGroup === true && scopeOf(callerOf(request)).memberGroup === NO_GROUP) {
      return refuse(reply, Refused.noMemberGroup);
    }
    if (access?.kind === 'link-or-permission') {
      const opened = await openDevice(request, access, deps);
      if ('status' in opened) return refuse(reply, opened);
      request.deviceOpened = opened;
      noteUse(request, false, deps.linkUses);
      return undefined;
    }
    if (access?.kind !== 'link') return undefined;
    if (!(await openLink(request, access.link, deps.linkAccess))) return refuse(reply, Refused.link);
    // Every page begins with the question what the link opens, for whatever kind of video.
    noteUse(request, access.link === 'any', deps.linkUses);
    return undefined;
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
    case 'any-permission':
      request.caller = await recognise(request, deps.sessions);
      return refusalForAny(request.caller, access.any);
    case 'link':
    case 'link-or-permission':
      return undefined;
    case 'terminal':
      request.terminalDownload = findDownload(request, deps.terminalDownloads);
      return request.terminalDownload === undefined ? Refused.notFound : undefined;
    case 'metrics':
      return holdsMetricsToken(request, deps.metricsToken) ? undefined : Refused.notFound;
  }
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

/** One that is over, or that another address asks for, is not there. */
function findDownload(
  request: FastifyRequest,
  downloads: CallerDeps['terminalDownloads'],
): TerminalDownload | undefined {
  const { token } = textsOf(request.params);
  return token === undefined ? undefined : downloads.find(token, request.ip);
}

function noteUse(request: FastifyRequest, opens: boolean, linkUses: CallerDeps['linkUses']): void {
  const { credential } = { ...textsOf(request.body), ...textsOf(request.query) };
  if (credential !== undefined) linkUses.note({ credential, address: request.ip, opens });
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
export function clientInfoOf(request: FastifyRequest): { readonly address: string; readonly userAgent: string } {
  return { address: request.ip, userAgent: request.headers['user-agent'] ?? '' };
}
