// Sends notifications again, or cancels them, several at a time.
import { randomUUID } from 'node:crypto';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  MessageIds,
  MessagesChanged,
  NOTIFY_CANCEL_PATH,
  NOTIFY_RESEND_PATH,
} from '../../../../shared/protocol/api/notify/notifyMessages.ts';
import type { AuditOfMessages } from '../../../store/notify/outbox/messageActs.ts';
import { answers } from '../../kernel/answers.ts';
import { callerOf } from '../../kernel/caller.ts';
import { scopeOf } from '../../kernel/callerScope.ts';
import { ok } from '../../kernel/envelope.ts';
import { auditEntryOf } from '../../kernel/recordAudit.ts';
import { MESSAGE_ACCESS, type NotifyMessageDeps } from './messageDeps.ts';

// Pages receive changes of messages through a topic of their own.
const config = { access: MESSAGE_ACCESS, changes: [] } as const;
/** Maximum messages named in the audit entry's detail: more are only counted. */
const NAMED_MESSAGES = 20;

/** `POST /api/eventnotify/resend` and `/cancel`. Messages that can't be resent or canceled are left out of the answer's count. */
export function registerMessageActs(app: FastifyInstance, { stores, bus, now }: NotifyMessageDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schemaOf = (summary: string) => ({ summary, body: MessageIds, response: answers(MessagesChanged) });
  const actOf = (request: FastifyRequest, ids: readonly number[]) => {
    const { memberGroup } = scopeOf(callerOf(request));
    return { memberGroup, ids, atMs: now() };
  };
  const resending = schemaOf('Sends notifications again that were sent, given up or canceled');
  routes.post(NOTIFY_RESEND_PATH, { schema: resending, config }, async (request) => {
    const act = actOf(request, request.body.ids);
    const audit = auditOf(request, 'notifymessage.resend');
    const changed = await stores.notifyMessageActs.resend(act, randomUUID, audit);
    if (changed.length > 0) bus.messagesChanged.tell({ kind: 'changed', messages: changed });
    return ok({ changed: changed.length });
  });
  const canceling = schemaOf('Cancels notifications that wait');
  routes.post(NOTIFY_CANCEL_PATH, { schema: canceling, config }, async (request) => {
    const act = actOf(request, request.body.ids);
    const changed = await stores.notifyMessageActs.cancel(act, auditOf(request, 'notifymessage.cancel'));
    if (changed.length > 0) bus.messagesChanged.tell({ kind: 'changed', messages: changed });
    return ok({ changed: changed.length });
  });
}

function auditOf(request: FastifyRequest, action: 'notifymessage.resend' | 'notifymessage.cancel'): AuditOfMessages {
  return (changed) => {
    const named = changed.slice(0, NAMED_MESSAGES).map(({ id }) => id);
    return auditEntryOf(request, { action, detail: { id: named.join(', '), count: changed.length } });
  };
}
