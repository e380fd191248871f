// Sends a real message by a sender as it is being edited, and shows what both sides said.
import { randomUUID } from 'node:crypto';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { SENDER_TEST_PATH, SenderTest, SenderTestResult } from '../../../../shared/protocol/api/notify/senders.ts';
import { KeyedCount } from '../../../limits/keyedCount.ts';
import type { Limit, OnLimit } from '../../../limits/limit.ts';
import type { Conversation, OpenedSender } from '../../../notify/outgoing.ts';
import { faultsOfSender, tidySender } from '../../../notify/senders/senderChecks.ts';
import { openSender } from '../../../notify/senders/senderDirectory.ts';
import type { StoredSender } from '../../../store/notify/notifySenders.ts';
import { answers } from '../../kernel/answers.ts';
import { callerOf } from '../../kernel/caller.ts';
import { ok, refuse, refusedFields } from '../../kernel/envelope.ts';
import { recordAudit } from '../../kernel/recordAudit.ts';
import { untilGone } from '../../kernel/untilGone.ts';
import { MAY_EDIT_SENDERS, NO_SENDER, type SenderRoutesDeps, TOO_MANY_TESTS } from './senderDeps.ts';
import { destinationOfTest, testMessage } from './testMessage.ts';

/** Tests of senders at a time: each may hold a connection for half a minute. A further one is refused with 429 `too-many-tests`. */
export const SENDER_TESTS_LIMIT: Limit = { name: 'notify.tests.all', max: 2 };
/** The user waits for the answer to a test; for other messages, a mail server may take longer. */
const TEST_MS = 30_000;
/** Lines of the conversation that a test shows: a server may say as much as it likes. Further ones are left out. */
export const CONVERSATION_LIMIT: Limit = { name: 'notify.conversation.lines', max: 200 };

/** Asks with a body, and changes nothing. */
const config = { ...MAY_EDIT_SENDERS, changes: [] };

export function registerSenderTest(app: FastifyInstance, deps: SenderRoutesDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const running = new KeyedCount(SENDER_TESTS_LIMIT, deps.onLimit);
  const schema = { summary: 'Sends a test message', body: SenderTest, response: answers(SenderTestResult) };
  routes.post(SENDER_TEST_PATH, { schema, config }, async (request, reply) => {
    const { id, to } = request.body;
    const content = tidySender(request.body.sender);
    const known = id === null ? undefined : await deps.stores.notifySenders.find(id);
    if (id !== null && known === undefined) return refuse(reply, NO_SENDER);
    const { user } = callerOf(request);
    const destination = destinationOfTest(content.kind, to, user);
    const faults = {
      // The test sends whether the sender is enabled or not.
      ...faultsOfSender({ ...content, enabled: true }, known),
      ...(destination === undefined ? { to: to === '' ? 'required' : 'bad-format' } : {}),
    };
    if (destination === undefined || Object.keys(faults).length > 0) return refuse(reply, refusedFields(faults));
    const leave = running.enter('');
    if (leave === undefined) return refuse(reply, TOO_MANY_TESTS);
    try {
      const { name, kind } = content;
      await recordAudit(request, { action: 'sender.test', target: name, detail: { kind, recipient: to } });
      const message = testMessage(kind, { destination, key: randomUUID(), user, nowMs: deps.now() });
      const { lines, note } = createConversation(deps.onLimit);
      const beganAtMs = deps.now();
      const sender = senderOfTest(content, known, deps);
      const options = { signal: untilGone(reply), note, longestMs: TEST_MS };
      const result = await deps.transports[kind].send(message, sender, options);
      const tookMs = Math.max(0, Math.round(deps.now() - beganAtMs));
      return ok({ isSent: result.outcome === 'sent', answer: result.answer, tookMs, conversation: lines });
    } finally {
      leave();
    }
  });
}

/** The sender, with its stored secret where none is given. */
function senderOfTest(
  { name, kind, settings, secret }: SenderTest['sender'],
  known: StoredSender | undefined,
  { secretBox }: SenderRoutesDeps,
): OpenedSender {
  const id = known?.id ?? 0;
  if (secret !== undefined || known === undefined) return { id, name, kind, settings, secret: secret ?? '' };
  const { secret: stored, isSecretLost } = openSender(known, secretBox);
  return { id, name, kind, settings, secret: stored, isSecretLost };
}

interface NotedConversation {
  readonly lines: SenderTestResult['conversation'];
  readonly note: Conversation;
}

export function createConversation(onLimit: OnLimit): NotedConversation {
  const lines: SenderTestResult['conversation'][number][] = [];
  let isFull = false;
  const note: Conversation = (side, text) => {
    if (lines.length < CONVERSATION_LIMIT.max) {
      lines.push({ side, text });
    } else if (!isFull) {
      isFull = true;
      onLimit(CONVERSATION_LIMIT);
    }
  };
  return { lines, note };
}
