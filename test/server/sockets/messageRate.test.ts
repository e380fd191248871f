// Clients that say more than any page does, at every kind of socket, and pages that say much and may.
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { TalkPartner } from '../../../server/device/controls.ts';
import { LiveUpdates } from '../../../server/fleet/updates/liveUpdates.ts';
import { createUpdatesServer, type UpdatesServer } from '../../../server/fleet/updates/updatesServer.ts';
import { Hub } from '../../../server/media/hub.ts';
import { createStreamServer, type StreamServer } from '../../../server/stream/streamServer.ts';
import { StreamPath } from '../../../shared/protocol/api.ts';
import { ControlPath, parseControlEvent } from '../../../shared/protocol/stream/controlMessages.ts';
import { parseStreamEvent } from '../../../shared/protocol/stream/streamMessages.ts';
import { PacketKind, readMessage } from '../../../shared/protocol/stream/streamPacket.ts';
import { ManualTimers } from '../../support/fakes/manualTimers.ts';
import { EVERY_TOPIC, fleetSources } from '../../support/fleetSources.ts';
import { type ServedEndpoints, serveEndpoints } from '../../support/gateway/serveEndpoints.ts';
import { waitFor } from '../../support/waitFor.ts';
import { packetOf } from '../../unit/server/media/packets.ts';

const KEY = { deviceId: 'BUS1', channel: 1, quality: 'main' } as const;
const QUERY = 'username=ann&credential=good&deviceid=BUS1&channel=1';
const UPDATES = '/api/live/updates';
const PLAYBACK = [StreamPath.LocalPlayback, StreamPath.RemotePlayback];

interface Client {
  readonly socket: WebSocket;
  /** Codes of `error` events, types of others, kinds of packets. */
  readonly got: unknown[];
  readonly closed: Promise<number>;
}

describe('what a client says', () => {
  let served: ServedEndpoints;
  let streams: StreamServer;
  let updates: LiveUpdates;
  let updatesServer: UpdatesServer;
  let timers: ManualTimers;
  let hub: Hub;
  let reached: string[];
  /** What got through to the playback that stands behind. */
  let heard: string[];
  let orders: string[];
  let partner: TalkPartner | undefined;
  const clients: WebSocket[] = [];

  beforeEach(async () => {
    [reached, heard, orders] = [[], [], []];
    partner = undefined;
    timers = new ManualTimers();
    hub = new Hub({ source: { start: () => undefined, stop: () => undefined }, runAfter: timers.runAfter });
    const common = {
      now: timers.now,
      runAfter: timers.runAfter,
      onLimit: ({ name }: { readonly name: string }) => void reached.push(name),
      onFault: (error: Error) => {
        throw error;
      },
    };
    const query = { username: 'ann', credential: 'good', deviceId: 'BUS1', channel: 1 };
    streams = createStreamServer({
      ...common,
      hub,
      playback: PLAYBACK.map((path) => ({
        path,
        kind: 'playback',
        parse: () => ({
          query,
          serve: (socket: WebSocket, _connection: Duplex) => {
            socket.on('message', (data) => heard.push(String(data)));
          },
        }),
      })),
      mayWatch: async () => ({ ok: true }),
      controls: {
        mayControl: async () => ({ ok: true }),
        audit: { add: async () => undefined },
        port: {
          ptz: async (_target, { type }) => void orders.push(type),
          talk: (_target, listener) => {
            partner = listener;
            return { speak: () => undefined, hangUp: () => orders.push('hang up') };
          },
        },
      },
      isBusy: () => false,
    });
    updates = new LiveUpdates({ ...common, sources: fleetSources().sources, deviceGroupsOf: async () => [] });
    updatesServer = createUpdatesServer({
      ...common,
      updates,
      proofOf: () => ({ kind: 'cookie', secret: 'one session' }),
      recognise: async () => ({ session: 'one', memberGroup: 7, topics: EVERY_TOPIC }),
    });
    served = await serveEndpoints([...streams.endpoints, updatesServer.endpoint]);
  });

  afterEach(async () => {
    for (const client of clients.splice(0)) client.terminate();
    await served.close();
    await streams.close();
    updatesServer.close();
    updates.close();
  });

  async function connect(path: string): Promise<Client> {
    const socket = new WebSocket(`ws://127.0.0.1:${served.port}${path}?${QUERY}`);
    clients.push(socket);
    const got: unknown[] = [];
    socket.on('message', (data: Buffer, isBinary) => got.push(...(isBinary ? readPackets(data) : [readText(data)])));
    socket.on('error', () => undefined);
    const closed = new Promise<number>((resolve) => socket.on('close', resolve));
    await once(socket, 'open');
    return { socket, got, closed };
  }

  function readText(data: Buffer): unknown {
    const { type, code } = JSON.parse(String(data)) as { readonly type: string; readonly code?: string };
    return code ?? type;
  }

  function readPackets(data: Buffer): unknown[] {
    return readMessage(new Uint8Array(data)).packets.map(({ kind, payload }) => {
      if (kind !== PacketKind.Event) return kind;
      const event = parseStreamEvent(payload) ?? parseControlEvent(payload);
      return event?.type === 'error' ? event.code : event?.type;
    });
  }

  const seek = (positionMs: number): string => JSON.stringify({ type: 'seek', positionMs });
  /** Everything sent before has been read at the other end. */
  const pong = async ({ socket }: Client): Promise<void> => {
    socket.ping();
    await once(socket, 'pong');
  };

  it.each([StreamPath.Live, ...PLAYBACK, ControlPath.Ptz, ControlPath.Talk, UPDATES])(
    'is cut off at %s with a clear code when it is 40,000 messages at once',
    async (path) => {
      const client = await connect(path);
      for (let number = 0; number < 40_000; number++) client.socket.send(seek(number));
      expect(await client.closed).toBe(1008);
      expect(client.got.at(-1)).toBe('too-many-messages');
      expect(reached).toEqual([path === UPDATES ? 'updates.messages.socket' : 'stream.messages.socket']);
      expect(heard.length).toBeLessThan(1_100);
    },
  );

  it('is cut off as pings too', async () => {
    const client = await connect(StreamPath.Live);
    for (let number = 0; number < 5_000; number++) client.socket.ping();
    // By this limit, or by that of the library on pongs that wait.
    expect([1006, 1008]).toContain(await client.closed);
  });

  it('is not waited for when the client does not close its end', async () => {
    const client = await connect(StreamPath.LocalPlayback);
    for (let number = 0; number < 2_000; number++) client.socket.send(seek(number));
    client.socket.pause();
    await waitFor('the limit', () => reached.length === 1);
    timers.advance(500);
    client.socket.resume();
    expect([1006, 1008]).toContain(await client.closed);
  });

  it('is heard when it is what a key makes that is held, and what a network held back', async () => {
    const client = await connect(StreamPath.LocalPlayback);
    await pong(client);
    for (let number = 0; number < 900; number++) client.socket.send(seek(number));
    await waitFor('the last', () => heard.at(-1) === seek(899));
    for (let second = 0; second < 60; second++) {
      timers.advance(1_000);
      for (let number = 0; number < 35; number++) client.socket.send(seek(second * 100 + number));
      await pong(client);
    }
    expect(heard.length).toBe(900 + 60 * 35);
    expect(reached).toEqual([]);
  });

  it('is heard as speech of the fastest terminals, after half a minute without a network, and cut off beyond', async () => {
    const client = await connect(ControlPath.Talk);
    await waitFor('the terminal is asked', () => partner !== undefined);
    partner?.opened({ sampleRate: 48_000 });
    const piece = new Int16Array(48 * 40);
    for (let number = 0; number < 750; number++) client.socket.send(piece);
    await pong(client);
    for (let second = 0; second < 10; second++) {
      timers.advance(1_000);
      for (let number = 0; number < 25; number++) client.socket.send(piece);
      await pong(client);
    }
    // What came late is left out; nobody is cut off for it.
    expect(new Set(reached)).toEqual(new Set(['talk.speech-ahead-ms.line']));
    for (let number = 0; number < 200; number++) client.socket.send(new Uint8Array(90 * 1024));
    expect(await client.closed).toBe(1008);
    expect(reached).toContain('talk.bytes.socket');
    await waitFor('the line is closed', () => orders.includes('hang up'));
  });

  it('stops a camera that it had moved, when it is too much', async () => {
    const client = await connect(ControlPath.Ptz);
    for (let number = 0; number < 5_000; number++) client.socket.send('{"type":"zoom","direction":"in"}');
    expect(await client.closed).toBe(1008);
    await waitFor('the stop', () => orders.at(-1) === 'stop');
  });

  it('has pictures sent again a few times, and from then on with the next key frame', async () => {
    const client = await connect(StreamPath.Live);
    await waitFor('the viewer', () => hub.viewerCount(KEY) === 1);
    hub.publish(KEY, packetOf('key', 50_000));
    await waitFor('the picture', () => client.got.length === 1);
    for (let number = 0; number < 800; number++)
      client.socket.send(JSON.stringify({ type: 'video', on: number % 2 === 1 }));
    await pong(client);
    expect(client.got.length).toBeLessThan(20);
    expect(new Set(reached)).toEqual(new Set(['stream.resent-groups.socket']));
    const before = client.got.length;
    hub.publish(KEY, packetOf('delta'));
    hub.publish(KEY, packetOf('key'));
    await pong(client);
    expect(client.got.length).toBe(before + 1);
    timers.advance(10_000);
    for (const on of [false, true]) client.socket.send(JSON.stringify({ type: 'video', on }));
    await waitFor('the picture at once', () => client.got.length === before + 2);
  });

  it('has the whole fleet sent a few times, and then now and then', async () => {
    const client = await connect(UPDATES);
    const say = () => client.socket.send('{"type":"watch","topics":["devices"]}');
    say();
    await waitFor('the snapshot', () => client.got.length === 1);
    for (let second = 0; second < 120; second++) {
      say();
      await pong(client);
      timers.advance(1_000);
    }
    await pong(client);
    expect(client.got.length).toBeGreaterThan(20);
    expect(client.got.length).toBeLessThan(40);
    expect(new Set(reached)).toEqual(new Set(['updates.snapshots.socket']));
    timers.advance(10_000);
    await pong(client);
    const before = client.got.length;
    say();
    await pong(client);
    timers.advance(1_000);
    await waitFor('a snapshot again', () => client.got.length === before + 1);
  });
});
