import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { FrameToken, StatusAnswer } from '../../../shared/protocol/api/signIn.ts';
import { toWallSeconds, wallMs } from '../../../shared/protocol/time.ts';
import type { Sessions } from '../../auth/sessions.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { ok, Refused, refuse } from '../kernel/envelope.ts';
import { isSameSiteFetch } from '../kernel/origin.ts';
import type { Caller } from '../kernel/recognise.ts';
import { recordAudit } from '../kernel/recordAudit.ts';
import { clearSessionCookie } from '../kernel/sessionCookie.ts';

export interface StatusDeps {
  readonly sessions: Sessions;
}

/** `GET /api/user/status`, `GET /api/user/logout` and `POST /api/user/frametoken`. */
export async function registerStatus(app: FastifyInstance, { sessions }: StatusDeps): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const recognised = { access: { kind: 'public', recognise: true } } as const;

  routes.get(
    '/api/user/status',
    {
      schema: { summary: 'Who is signed in', response: answers(StatusAnswer) },
      config: recognised,
    },
    (request) => ok(statusOf(request.caller)),
  );

  routes.get(
    '/api/user/logout',
    {
      schema: { summary: 'Signs out', response: answers(StatusAnswer) },
      config: recognised,
      // The one GET with an effect. A prefetch by HEAD must not have it.
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      if (!isSameSiteFetch(request.headers)) return refuse(reply, Refused.foreignOrigin);
      if (request.caller !== undefined) {
        await sessions.end(request.caller.session);
        await recordAudit(request, { action: 'session.end' });
      }
      clearSessionCookie(reply);
      return ok({ login: false });
    },
  );

  routes.post(
    '/api/user/frametoken',
    {
      schema: {
        summary: 'A short-lived token for a framed page whose cookies the browser blocks',
        response: answers(FrameToken),
      },
      config: { access: { kind: 'signed-in' } },
    },
    async (request) => {
      const { token, expiresAtMs } = await sessions.createFrameToken(callerOf(request).session);
      return ok({ sid: token, expires: toWallSeconds(expiresAtMs) });
    },
  );
}

/** Retention and expiry are the current group's. */
function statusOf(caller: Caller | undefined): StatusAnswer {
  if (caller === undefined) return { login: false };
  const { user, group } = caller;
  return {
    login: true,
    username: user.username,
    permission: user.permissions,
    membergroup: group?.serialno ?? 0,
    retentiondays: group?.retentionDays ?? 0,
    expirydate: toWallSeconds(group?.expiresAtMs ?? wallMs(0)),
    language: user.language,
    displayname: user.displayName,
    timezone: user.timeZone,
  };
}
