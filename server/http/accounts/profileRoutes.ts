import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { PROFILE_PATH, Profile, ProfileContent } from '../../../shared/protocol/api/ownAccount.ts';
import { isTimeZone } from '../../../shared/protocol/timeZones.ts';
import type { UserStore } from '../../store/accounts/users.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { ok, refuse, refusedFields } from '../kernel/envelope.ts';
import { recordAudit } from '../kernel/recordAudit.ts';

export interface ProfileDeps {
  readonly users: Pick<UserStore, 'setProfile'>;
}

export function registerProfile(app: FastifyInstance, { users }: ProfileDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const config = { access: { kind: 'signed-in' } } as const;

  const reading = { summary: "One's own names and settings", response: answers(Profile) };
  routes.get(PROFILE_PATH, { schema: reading, config }, (request) => {
    const { user } = callerOf(request);
    return ok({ username: user.username, ...contentOf(user) });
  });

  const changing = { summary: 'Changes them', body: ProfileContent, response: answers(Profile) };
  routes.put(PROFILE_PATH, { schema: changing, config }, async (request, reply) => {
    const { id, username, ...known } = callerOf(request).user;
    const { body } = request;
    if (!isTimeZone(body.timeZone)) return refuse(reply, refusedFields({ timeZone: 'unknown' }));
    const after = contentOf({ ...body, displayName: body.displayName.trim() });
    await users.setProfile(id, after);
    await recordAudit(request, { action: 'user.profile', target: username, before: contentOf(known), after });
    return ok({ username, ...after });
  });
}

function contentOf({ displayName, language, timeZone }: ProfileContent) {
  return { displayName, language, timeZone };
}
