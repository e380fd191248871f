import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import { Type } from 'typebox';
import { toWallSeconds, type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { Sessions } from '../../auth/sessions.ts';
import type { AuditStore } from '../../store/audit/audit.ts';
import { callerOf } from '../kernel/caller.ts';
import { EnvelopeOf, ErrorAnswers, ok, Refused, refuse } from '../kernel/envelope.ts';
import { isSameSiteFetch } from '../kernel/origin.ts';
import type { Caller } from '../kernel/recognise.ts';
import { clearSessionCookie } from '../kernel/sessionCookie.ts';

const Status = Type.Object({
  login: Type.Boolean(),
  username: Type.Optional(Type.String()),
  permission: Type.Optional(Type.Array(Type.String())),
  membergroup: Type.Optional(Type.Integer()),
  retentiondays: Type.Optional(Type.Integer()),
  expirydate: Type.Optional(Type.Integer()),
  language: Type.Optional(Type.String()),
  /** Additions of ours: how others see the user, and the zone that times are shown in; '' for none. */
  displayname: Type.Optional(Type.String()),
  timezone: Type.Optional(Type.String()),
});

const FrameToken = Type.Object({ sid: Type.String(), expires: Type.Integer() });

export interface StatusDeps {
  readonly sessions: Sessions;
  readonly audit: AuditStore;
  readonly now: () => WallMs;
}

/** `GET /api/user/status`, `GET /api/user/logout` and `POST /api/user/frametoken`. */
export async function registerStatus(app: FastifyInstance, deps: StatusDeps): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const recognised = { access: { kind: 'public', recognise: true } } as const;

  routes.get(
    '/api/user/status',
    {
      schema: { summary: 'Who is signed in', response: { 200: EnvelopeOf(Status), ...ErrorAnswers } },
      config: recognised,
    },
    (request) => ok(statusOf(request.caller)),
  );

  routes.get(
    '/api/user/logout',
    {
      schema: { summary: 'Signs out', response: { 200: EnvelopeOf(Status), ...ErrorAnswers } },
      config: recognised,
      // The one GET with an effect. A prefetch by HEAD must not have it.
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      if (!isSameSiteFetch(request.headers)) return refuse(reply, Refused.foreignOrigin);
      if (request.caller !== undefined) await endSession(deps, request.caller, request.ip);
      clearSessionCookie(reply);
      return ok({ login: false });
    },
  );

  routes.post(
    '/api/user/frametoken',
    {
      schema: {
        summary: 'A short-lived token for a framed page whose cookies the browser blocks',
        response: { 200: EnvelopeOf(FrameToken), ...ErrorAnswers },
      },
      config: { access: { kind: 'signed-in' } },
    },
    async (request) => {
      const { token, expiresAtMs } = await deps.sessions.createFrameToken(callerOf(request).session);
      return ok({ sid: token, expires: toWallSeconds(expiresAtMs) });
    },
  );
}

async function endSession(
  { sessions, audit, now }: StatusDeps,
  { user, session }: Caller,
  address: string,
): Promise<void> {
  await sessions.end(session);
  await audit.add({ actor: user.username, action: 'session.end', address }, now());
}

/** Retention and expiry are the current group's. */
function statusOf(caller: Caller | undefined): Static<typeof Status> {
  if (caller === undefined) return { login: false };
  const { user, group } = caller;
  return {
    login: true,
    username: user.username,
    permission: [...user.permissions],
    membergroup: group?.serialno ?? 0,
    retentiondays: group?.retentionDays ?? 0,
    expirydate: toWallSeconds(group?.expiresAtMs ?? wallMs(0)),
    language: user.language,
    displayname: user.displayName,
    timezone: user.timeZone,
  };
}
