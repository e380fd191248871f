// The log of notifications: what was sent to whom, and what members do about it.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  NOTIFY_COUNTS_PATH,
  NOTIFY_MESSAGES_PATH,
  NotifyCounts,
  NotifyMessageDetail,
} from '../../../../shared/protocol/api/notify/notifyMessages.ts';
import { IdText } from '../../../../shared/protocol/api/records.ts';
import { answers } from '../../kernel/answers.ts';
import { callerOf } from '../../kernel/caller.ts';
import { scopeOf } from '../../kernel/callerScope.ts';
import { ok, Refused, refuse } from '../../kernel/envelope.ts';
import { registerMessageActs } from './messageActs.ts';
import { MESSAGE_ACCESS, type NotifyMessageDeps } from './messageDeps.ts';
import { registerMessageList } from './messageList.ts';

const config = { access: MESSAGE_ACCESS } as const;

export async function registerNotifyMessageRoutes(app: FastifyInstance, deps: NotifyMessageDeps): Promise<void> {
  registerMessageList(app, deps);
  registerDetail(app, deps);
  registerCounts(app, deps);
  registerMessageActs(app, deps);
}

/** `GET /api/eventnotify/messages/:id`. */
function registerDetail(app: FastifyInstance, { stores }: NotifyMessageDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = {
    summary: 'A notification with its text and its attempts',
    params: Type.Object({ id: IdText }),
    response: answers(NotifyMessageDetail),
  };
  routes.get(`${NOTIFY_MESSAGES_PATH}/:id`, { schema, config }, async (request, reply) => {
    const { memberGroup } = scopeOf(callerOf(request));
    const found = await stores.notifyMessages.detail(memberGroup, Number(request.params.id));
    return found === undefined ? refuse(reply, Refused.notFound) : ok(found);
  });
}

/** `GET /api/eventnotify/counts`. */
function registerCounts(app: FastifyInstance, { stores, now }: NotifyMessageDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'How many notifications wait, and what became of others', response: answers(NotifyCounts) };
  routes.get(NOTIFY_COUNTS_PATH, { schema, config }, async (request) =>
    ok(await stores.notifyMessages.counts(scopeOf(callerOf(request)).memberGroup, now())),
  );
}
