// Screens that sit down, and are moved, while the database takes its time.
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { LiveUpdates } from '../../../server/fleet/updates/liveUpdates.ts';
import type { RecordSource } from '../../../server/fleet/updates/recordSource.ts';
import { ServerSource } from '../../../server/fleet/updates/serverSource.ts';
import {
  createUpdatesServer,
  SESSION_SOCKETS_LIMIT,
  type UpdatesServer,
} from '../../../server/fleet/updates/updatesServer.ts';
import type { LiveUpdate } from '../../../shared/protocol/api/liveUpdates.ts';
import { ManualTimers } from '../../support/fakes/manualTimers.ts';
import { EVERY_TOPIC, fleetSources } from '../../support/fleetSources.ts';
import { type ServedEndpoints, serveEndpoints } from '../../support/gateway/serveEndpoints.ts';
import { turnUntil, waitFor } from '../../support/waitFor.ts';

describe('the screens of a session', () => {
  let server: ServedEndpoints;
  let endpoint: UpdatesServer;
  let updates: LiveUpdates;
  let records: RecordSource;
  let installation: ServerSource;
  let title: string;
  let timers: ManualTimers;
  let memberGroup: number;
  /** How often it was asked who holds the session. */
  let recognised: number;
  /** Questions to the database for a group's devices that have no answer yet. */
  let unanswered: (() => void)[];
  const clients: WebSocket[] = [];

  beforeEach(async () => {
    timers = new ManualTimers();
    memberGroup = 7;
    recognised = 0;
    unanswered = [];
    const onFault = (error: Error): never => {
      throw error;
    };
    title = 'North Depot';
    const read = () => Promise.resolve({ web_title: title });
    installation = new ServerSource({ read, runAfter: timers.runAfter, onFault });
    const fleet = fleetSources(undefined, installation);
    records = fleet.records;
    await installation.start();
    updates = new LiveUpdates({
      sources: fleet.sources,
      deviceGroupsOf: () => new Promise((resolve) => unanswered.push(() => resolve([]))),
      runAfter: timers.runAfter,
      onFault,
    });
    endpoint = createUpdatesServer({
      updates,
      proofOf: () => ({ kind: 'cookie', secret: 'one session' }),
      recognise: async () => {
        recognised++;
        return { session: 'one session', memberGroup, topics: EVERY_TOPIC };
      },
      runAfter: timers.runAfter,
      onFault,
    });
    server = await serveEndpoints([endpoint.endpoint]);
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.terminate();
    await server.close();
    endpoint.close();
    updates.close();
    await installation.close();
  });

  function connect(): { readonly messages: LiveUpdate[] } {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/api/live/updates`);
    clients.push(socket);
    const messages: LiveUpdate[] = [];
    socket.on('open', () => socket.send('{"type":"watch","topics":["devices","changed"]}'));
    socket.on('message', (data) => messages.push(JSON.parse(String(data)) as LiveUpdate));
    return { messages };
  }

  const answerAll = () => {
    for (const answer of unanswered.splice(0)) answer();
  };
  /** A round of asking again whether the session still holds, up to its answer. */
  async function askAgain(): Promise<void> {
    const before = recognised;
    timers.advance(1_000);
    await waitFor('the round', () => recognised > before);
    await new Promise((resolve) => setImmediate(resolve));
  }

  it('are told on, also one that was asked about again while it was sitting down', async () => {
    const { messages } = connect();
    await waitFor('the question for its devices', () => unanswered.length === 1);
    await askAgain();
    answerAll();
    await waitFor('the snapshot', () => messages.length === 1);
    expect(updates.viewerCount).toBe(1);
    records.changed(['device']);
    timers.advance(1_000);
    await waitFor('what was edited', () => messages.length === 2);
    expect(messages).toMatchObject([{ type: 'snapshot' }, { type: 'changed', records: ['device'] }]);
  });

  it('are told what changes of the installation without a session, and of nothing else', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/api/live/updates`);
    clients.push(socket);
    const messages: LiveUpdate[] = [];
    socket.on('message', (data) => messages.push(JSON.parse(String(data)) as LiveUpdate));
    await once(socket, 'open');
    socket.send('{"type":"public"}');
    socket.send('{"type":"watch","topics":["devices","changed","server"]}');
    await waitFor('what it is called', () => messages.length === 1);
    title = 'South Depot';
    installation.changed();
    records.changed(['device']);
    await turnUntil('its new name', () => {
      timers.advance(1_000);
      return messages.length > 1;
    });
    expect(messages).toEqual([
      { type: 'server', info: { web_title: 'North Depot' } },
      { type: 'server', info: { web_title: 'South Depot' } },
    ]);
    expect([recognised, unanswered.length]).toEqual([0, 0]);
    socket.terminate();
    await waitFor('its end', () => updates.viewerCount === 0);
  });

  it('are refused when they say nothing: the first message tells by what the session is proved', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/api/live/updates`);
    clients.push(socket);
    const messages: unknown[] = [];
    socket.on('message', (data) => messages.push(JSON.parse(String(data))));
    await once(socket, 'open');
    const closed = once(socket, 'close');
    await turnUntil('the end', () => {
      timers.advance(1_000);
      return messages.length > 0;
    });
    expect(messages).toMatchObject([{ type: 'error', code: 'not-signed-in' }]);
    expect((await closed)[0]).toBe(1008);
    expect(recognised).toBe(0);
  });

  it('are counted by session, however many frame tokens it has', async () => {
    const refused: unknown[] = [];
    for (let count = 0; count <= SESSION_SOCKETS_LIMIT.max; count++) {
      const socket = new WebSocket(`ws://127.0.0.1:${server.port}/api/live/updates`);
      clients.push(socket);
      socket.on('open', () => socket.send(JSON.stringify({ type: 'session', sid: `token ${count % 2}` })));
      socket.on('message', (data) => refused.push(JSON.parse(String(data))));
    }
    await waitFor('the one that is refused', () => recognised > SESSION_SOCKETS_LIMIT.max && refused.length > 0);
    expect(refused).toMatchObject([{ type: 'error', code: 'slow-down' }]);
  });

  it('follow the session to another group, and are in no other any more', async () => {
    const { messages } = connect();
    await waitFor('the question for its devices', () => unanswered.length === 1);
    answerAll();
    await waitFor('the snapshot', () => messages.length === 1);
    memberGroup = 8;
    await askAgain();
    await waitFor('the question for the other devices', () => unanswered.length > 0);
    answerAll();
    await turnUntil('the move', () => {
      timers.advance(1_000);
      answerAll();
      return messages.length === 2;
    });
    expect(messages[1]).toMatchObject({ type: 'snapshot' });
    expect(updates.viewerCount).toBe(1);
  });
});
