// How the limits of senders are reached.
import { expect, onTestFinished } from 'vitest';
import {
  CONVERSATION_LIMIT,
  createConversation,
  SENDER_TESTS_LIMIT,
} from '../../../../server/http/notify/senders/testRoute.ts';
import type { OnLimit } from '../../../../server/limits/limit.ts';
import { ANSWER_BYTES_LIMIT } from '../../../../server/notify/senders/outbound.ts';
import { createWebhookTransport } from '../../../../server/notify/senders/webhook/webhookTransport.ts';
import { SENDERS_LIMIT } from '../../../../server/store/notify/notifySenders.ts';
import { BROWSERS_LIMIT } from '../../../../server/store/notify/pushSubscriptions.ts';
import { createStores } from '../../../../server/store/stores.ts';
import { ALL_PERMISSIONS } from '../../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { senderFields } from '../../../support/notify/aSenderRecord.ts';
import { startHttpSink } from '../../../support/notify/httpSink.ts';
import { aSender, send } from '../../../support/notify/outgoing.ts';
import { createTestOutbound } from '../../../support/notify/testOutbound.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { cookieFor } from '../../http/events/eventDefineScene.ts';
import { createTestApp } from '../../http/testApp.ts';
import { openTestDatabase } from '../../store/testDatabase.ts';
import type { LimitCase } from '../describeLimits.ts';

async function openStores(onLimit: OnLimit) {
  const database = await openTestDatabase('sqlite');
  onTestFinished(() => database.close());
  return createStores(database.db, onLimit);
}

const senders: LimitCase = {
  limit: SENDERS_LIMIT,
  open: async (onLimit) => {
    const { notifySenders } = await openStores(onLimit);
    return {
      upTo: async () => {
        for (let index = 0; index < SENDERS_LIMIT.max; index++) {
          expect((await notifySenders.insert(senderFields())).ok).toBe(true);
        }
      },
      beyond: async () => {
        expect(await notifySenders.insert(senderFields())).toEqual({ ok: false, reason: 'too-many' });
        expect(await notifySenders.all()).toHaveLength(SENDERS_LIMIT.max);
      },
    };
  },
};

const browsers: LimitCase = {
  limit: BROWSERS_LIMIT,
  open: async (onLimit) => {
    const { pushSubscriptions, users } = await openStores(onLimit);
    const user = await users.insert({ username: 'ann', passwordHash: '', permissions: [] }, wallMs(0));
    const add = (index: number) =>
      pushSubscriptions.add(user, { endpointHash: `e${index}`, sealed: '', userAgent: '' }, wallMs(index));
    return {
      upTo: async () => {
        for (let index = 0; index < BROWSERS_LIMIT.max; index++) await add(index);
      },
      beyond: async () => {
        await add(BROWSERS_LIMIT.max);
        const left = (await pushSubscriptions.listOf(user)).map(({ endpointHash }) => endpointHash);
        expect([left.length, left[0]]).toEqual([BROWSERS_LIMIT.max, 'e1']);
      },
    };
  },
};

const tests: LimitCase = {
  limit: SENDER_TESTS_LIMIT,
  open: async (onLimit) => {
    const waiting: (() => void)[] = [];
    const sink = await startHttpSink((response) => void waiting.push(() => response.end()));
    const app = await createTestApp({ NOTIFY_NETWORKS: '127.0.0.1' }, { onLimit });
    await app.addUser('root', ALL_PERMISSIONS);
    const headers = { cookie: await cookieFor(app, 'root') };
    const settings = { url: `http://127.0.0.1:${sink.port}/`, headers: [] };
    const body = { id: null, sender: senderFields({ kind: 'webhook', settings }), to: '' };
    const test = () => app.request({ method: 'POST', url: '/api/sender/test', headers, body });
    const running: ReturnType<typeof test>[] = [];
    onTestFinished(async () => {
      for (const end of waiting) end();
      await Promise.all(running);
      await app.close();
      await sink.close();
    });
    return {
      upTo: async () => {
        while (running.length < SENDER_TESTS_LIMIT.max) running.push(test());
        await waitFor('all tests', () => waiting.length === SENDER_TESTS_LIMIT.max);
      },
      beyond: async () => expect((await test()).statusCode).toBe(429),
    };
  },
};

const conversation: LimitCase = {
  limit: CONVERSATION_LIMIT,
  open: (onLimit) => {
    const { lines, note } = createConversation(onLimit);
    return {
      upTo: () => {
        for (let index = 0; index < CONVERSATION_LIMIT.max; index++) note('server', String(index));
      },
      beyond: () => {
        note('server', 'more');
        note('server', 'and more');
        expect(lines).toHaveLength(CONVERSATION_LIMIT.max);
        expect(lines.at(-1)?.text).toBe(String(CONVERSATION_LIMIT.max - 1));
      },
    };
  },
};

const answers: LimitCase = {
  limit: ANSWER_BYTES_LIMIT,
  open: async (onLimit) => {
    const body = { bytes: ANSWER_BYTES_LIMIT.max };
    const sink = await startHttpSink((response) => void response.end('x'.repeat(body.bytes)));
    onTestFinished(() => sink.close());
    const transport = createWebhookTransport({ ...createTestOutbound(), onLimit }, Date.now);
    const sender = aSender('webhook', { url: `http://127.0.0.1:${sink.port}/`, headers: [] });
    const post = async () => expect((await send({ transport, sender })).outcome).toBe('sent');
    return {
      upTo: post,
      beyond: async () => {
        body.bytes++;
        await post();
      },
    };
  },
};

export const notifySenderCases: readonly LimitCase[] = [senders, browsers, tests, conversation, answers];
