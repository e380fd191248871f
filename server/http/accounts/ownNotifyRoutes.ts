import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { OWN_NOTIFY_PATH, OwnNotify, OwnNotifyContent } from '../../../shared/protocol/api/notify/ownNotify.ts';
import type { OwnNotifyStore } from '../../store/accounts/ownNotify.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { ok, Refused, refuse } from '../kernel/envelope.ts';
import { recordAudit } from '../kernel/recordAudit.ts';

/** What the push sender knows of browsers. */
export interface OwnPush {
  /** VAPID key, base64url; '' where no push sender is enabled. */
  pushKey(): Promise<string>;
  /** The browsers that the user allowed. */
  browsersOf(userId: number): Promise<OwnNotify['browsers']>;
}

export interface OwnNotifyDeps {
  readonly ownNotify: OwnNotifyStore;
  readonly pushBrowsers: OwnPush;
}

/** The routes for how and where users are notified. */
export async function registerOwnNotify(
  app: FastifyInstance,
  { ownNotify, pushBrowsers }: OwnNotifyDeps,
): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const config = { access: { kind: 'signed-in' } } as const;
  const show = async (userId: number, content: OwnNotifyContent): Promise<OwnNotify> => {
    const [pushKey, browsers] = await Promise.all([pushBrowsers.pushKey(), pushBrowsers.browsersOf(userId)]);
    return { ...content, pushKey, browsers };
  };

  const reading = { summary: "One's own addresses and choices for notifications", response: answers(OwnNotify) };
  routes.get(OWN_NOTIFY_PATH, { schema: reading, config }, async (request, reply) => {
    const { id } = callerOf(request).user;
    const content = await ownNotify.find(id);
    return content === undefined ? refuse(reply, Refused.notFound) : ok(await show(id, content));
  });

  const changing = { summary: 'Changes them', body: OwnNotifyContent, response: answers(OwnNotify) };
  routes.put(OWN_NOTIFY_PATH, { schema: changing, config }, async (request, reply) => {
    const { id, username } = callerOf(request).user;
    const before = await ownNotify.save(id, request.body);
    if (before === undefined) return refuse(reply, Refused.notFound);
    const noted = { before: auditFieldsOf(before), after: auditFieldsOf(request.body) };
    await recordAudit(request, { action: 'user.notify', target: username, ...noted });
    return ok(await show(id, request.body));
  });
}

function auditFieldsOf({ channels, ...rest }: OwnNotifyContent) {
  return { ...rest, notifyChannels: channels };
}
