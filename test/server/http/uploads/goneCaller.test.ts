// Callers that go while it is looked up who they are: what they would have taken is free again. Real connections.
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../../../server/http/kernel/recognise.ts';
import { untilGone } from '../../../../server/http/kernel/untilGone.ts';
import { registerUploadRoutes, USER_PARTS_LIMIT } from '../../../../server/http/uploads/uploadRoutes.ts';
import { waitFor } from '../../../support/waitFor.ts';

const PART = `/api/upload/part?id=${'a'.repeat(32)}&offset=0`;

describe('a caller that goes while it is looked up', () => {
  let app: FastifyInstance;
  let waiting: (() => void)[];
  let isSlow: boolean;
  const aborted: boolean[] = [];

  beforeEach(async () => {
    [waiting, isSlow] = [[], true];
    app = Fastify();
    app.decorateRequest('caller', undefined);
    app.addHook('onRequest', async (request) => {
      if (isSlow) await new Promise<void>((resolve) => waiting.push(resolve));
      request.caller = { user: { id: 1 } } as Caller;
    });
    app.get('/waits', async (_request, reply) => {
      aborted.push(untilGone(reply).aborted);
      return {};
    });
    await registerUploadRoutes(app, {
      uploads: {
        begin: () => Promise.reject(new Error('not wanted')),
        part: () => Promise.reject(new Error('not wanted')),
        state: async () => undefined,
        drop: async () => false,
      },
      onLimit: () => undefined,
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterEach(() => app.close());

  async function askAndGo(head: string, times: number): Promise<void> {
    const { port } = app.server.address() as AddressInfo;
    for (let asked = 0; asked < times; asked++) {
      const socket = connect(port, '127.0.0.1');
      const closed = new Promise((resolve) => app.server.once('connection', (other) => other.once('close', resolve)));
      await once(socket, 'connect');
      socket.write(`${head}\r\nhost: gateway.example\r\n\r\n`);
      await waitFor('the request to be looked up', () => waiting.length > asked);
      socket.destroy();
      await closed;
    }
    isSlow = false;
    for (const found of waiting) found();
  }

  it('leaves the places of parts to others', async () => {
    const head = `POST ${PART} HTTP/1.1\r\ncontent-type: application/octet-stream\r\ncontent-length: 1000`;
    await askAndGo(head, USER_PARTS_LIMIT.max);
    const headers = { 'content-type': 'application/octet-stream' };
    const answer = await app.inject({ method: 'POST', url: PART, headers, payload: Buffer.alloc(1) });
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'no-such-upload']);
  });

  it('is known to have gone to whatever works for it', async () => {
    await askAndGo('GET /waits HTTP/1.1', 1);
    await waitFor('the handler', () => aborted.length > 0);
    expect(aborted).toEqual([true]);
  });
});
