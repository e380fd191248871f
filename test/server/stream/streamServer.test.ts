// The stream's WebSocket end with a raw client: upgrades, refusals, relaying, the end.
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { Hub } from '../../../server/media/hub.ts';
import { createStreamServer, type StreamServer } from '../../../server/stream/streamServer.ts';
import { parseStreamEvent } from '../../../shared/protocol/stream/streamMessages.ts';
import { readMessage, type StreamPacket } from '../../../shared/protocol/stream/streamPacket.ts';
import { ManualTimers } from '../../support/fakes/manualTimers.ts';
import { NO_CONTROLS } from '../../support/fakes/noControls.ts';
import { type ServedEndpoints, serveEndpoints } from '../../support/gateway/serveEndpoints.ts';
import { waitFor } from '../../support/waitFor.ts';
import { packetOf } from '../../unit/server/media/packets.ts';

const KEY = { deviceId: 'BUS1', channel: 1, quality: 'main' } as const;
const SUB_ONLY = { quality: 'sub', notice: { code: 'plan-sub-stream', message: 'less' } } as const;
const GOOD = 'username=u&credential=good&deviceid=BUS1&channel=1&audio=1';

describe('the stream server', () => {
  let server: ServedEndpoints;
  let streams: StreamServer;
  let hub: Hub;
  let started: string[];
  let originAllowed: boolean;
  let accessFails: Error | undefined;
  let timers: ManualTimers;
  let goodCredential: string;
  let session: string | undefined;
  /** What a data plan leaves the device. */
  let left: 'main' | 'sub' | 'none';
  let planListeners: Set<(deviceId: string) => void>;
  let faults: Error[];
  const clients: WebSocket[] = [];

  beforeEach(async () => {
    started = [];
    faults = [];
    originAllowed = true;
    accessFails = undefined;
    goodCredential = 'good';
    session = undefined;
    left = 'main';
    planListeners = new Set();
    timers = new ManualTimers();
    const source = { start: ({ deviceId }: { deviceId: string }) => started.push(deviceId), stop: () => undefined };
    hub = new Hub({ source, runAfter: timers.runAfter });
    streams = createStreamServer({
      ...NO_CONTROLS,
      hub,
      mayWatch: async ({ credential }) => {
        if (accessFails !== undefined) throw accessFails;
        if (left === 'none') return { ok: false, code: 'plan-no-video', message: 'used up' };
        return credential === goodCredential || credential.startsWith('own')
          ? { ok: true, session }
          : { ok: false, code: 'link-refused', message: 'no' };
      },
      qualityFor: (_deviceId, quality) => (left === 'sub' && quality === 'main' ? SUB_ONLY : { quality }),
      onQualities: (listener) => {
        planListeners.add(listener);
        return () => planListeners.delete(listener);
      },
      runAfter: timers.runAfter,
      onFault: (error) => faults.push(error),
    });
    const onFault = (error: Error): void => void faults.push(error);
    server = await serveEndpoints(streams.endpoints, { isAllowedOrigin: () => originAllowed, onFault });
  });

  afterEach(async () => {
    for (const client of clients.splice(0)) client.terminate();
    await server.close();
    await streams.close();
  });

  const connect = (query: string, path = '/stream/liveview/video.fuho'): WebSocket => {
    const client = new WebSocket(`ws://127.0.0.1:${server.port}${path}?${query}`);
    client.binaryType = 'arraybuffer';
    clients.push(client);
    return client;
  };

  const listen = (client: WebSocket): StreamPacket[] => {
    const packets: StreamPacket[] = [];
    client.on('message', (data: ArrayBuffer) => packets.push(...readMessage(new Uint8Array(data)).packets));
    return packets;
  };

  it('relays the channel that is asked for', async () => {
    const client = connect(GOOD);
    const packets = listen(client);
    await waitFor('the viewer', () => hub.viewerCount(KEY) === 1);
    hub.publish(KEY, packetOf('key'));
    hub.publish({ ...KEY, channel: 2 }, packetOf('key'));
    hub.publish(KEY, packetOf('audio'));
    await waitFor('two packets', () => packets.length === 2);
    expect(packets.map(({ kind }) => kind)).toEqual([1, 2]);
    client.close();
    await waitFor('the viewer has gone', () => hub.viewerCount(KEY) === 0);
  });

  it('S-2.4.9 asks for the stream that a data plan leaves, and says why where it leaves none', async () => {
    left = 'sub';
    const limited = listen(connect(GOOD));
    await waitFor('the viewer of the sub stream', () => hub.viewerCount({ ...KEY, quality: 'sub' }) === 1);
    hub.publish({ ...KEY, quality: 'sub' }, packetOf('key'));
    await waitFor('the notice and the picture', () => limited.length === 2);
    expect(limited.slice(0, 1).map(({ payload }) => parseStreamEvent(payload))).toEqual([
      { type: 'notice', ...SUB_ONLY.notice },
    ]);
    expect(hub.viewerCount(KEY)).toBe(0);
    left = 'none';
    const client = connect(GOOD);
    const packets = listen(client);
    const [code] = await once(client, 'close');
    expect([code, packets.map(({ payload }) => parseStreamEvent(payload))]).toEqual([
      1008,
      [{ type: 'error', code: 'plan-no-video', message: 'used up' }],
    ]);
  });

  it('S-2.4.9 ends a sub stream sent in place of the main one when the plan leaves that again, and no other', async () => {
    left = 'sub';
    const [limited, chosen] = [connect(GOOD), connect(`${GOOD}&quality=sub`)];
    await waitFor('both viewers', () => hub.viewerCount({ ...KEY, quality: 'sub' }) === 2);
    for (const told of planListeners) told('BUS1');
    left = 'main';
    for (const told of planListeners) told('BUS2');
    expect(planListeners.size).toBe(1);
    for (const told of planListeners) told('BUS1');
    expect((await once(limited, 'close'))[0]).toBe(1012);
    expect(chosen.readyState).toBe(WebSocket.OPEN);
    await waitFor('nobody listens', () => planListeners.size === 0);
    connect(GOOD);
    await waitFor('the viewer of the main stream', () => hub.viewerCount(KEY) === 1);
  });

  // The lengths at which the header of a WebSocket frame changes its form, less the packet's own header of 24 bytes.
  it.each([0, 101, 102, 65_511, 65_512, 1_000_000])('relays a payload of %i bytes whole', async (payloadBytes) => {
    const packets = listen(connect(GOOD));
    await waitFor('the viewer', () => hub.viewerCount(KEY) === 1);
    hub.publish(KEY, packetOf('key', payloadBytes));
    hub.publish(KEY, packetOf('delta', 1));
    await waitFor('both packets', () => packets.length === 2);
    expect(packets.map(({ payload }) => payload.length)).toEqual([payloadBytes, 1]);
  });

  it('sends no sound that nobody asked for, and no picture that a hidden page does not want', async () => {
    const client = connect(GOOD.replace('audio=1', 'audio=0'));
    const packets = listen(client);
    await waitFor('the viewer', () => hub.viewerCount(KEY) === 1);
    hub.publish(KEY, packetOf('audio'));
    hub.publish(KEY, packetOf('key'));
    await waitFor('the picture', () => packets.length === 1);
    client.send('{"type":"video","on":false}');
    client.send('no JSON');
    client.ping();
    await once(client, 'pong');
    hub.publish(KEY, packetOf('delta'));
    client.ping();
    await once(client, 'pong');
    expect(packets.map(({ kind }) => kind)).toEqual([1]);
  });

  it('gives a page that comes back its pictures at once, from a flagged key frame on', async () => {
    const client = connect(GOOD);
    const packets = listen(client);
    await waitFor('the viewer', () => hub.viewerCount(KEY) === 1);
    const say = async (on: boolean): Promise<void> => {
      client.send(JSON.stringify({ type: 'video', on }));
      client.ping();
      await once(client, 'pong');
    };
    hub.publish(KEY, packetOf('key', 1));
    await waitFor('the first picture', () => packets.length === 1);
    await say(false);
    for (const packet of [packetOf('key', 2), packetOf('audio', 3), packetOf('delta', 4)]) hub.publish(KEY, packet);
    await say(true);
    await say(true);
    hub.publish(KEY, packetOf('delta', 5));
    await waitFor('all packets', () => packets.length === 5);
    const seen = packets.map(({ payload, key, discontinuity }) => [payload.byteLength, key, discontinuity]);
    expect(seen).toEqual([
      [1, true, false],
      [3, false, false],
      [2, true, true],
      [4, false, false],
      [5, false, false],
    ]);
  });

  it('sends a page that comes back, or comes first, no picture without its key frame', async () => {
    const client = connect(GOOD);
    const packets = listen(client);
    await waitFor('the viewer', () => hub.viewerCount(KEY) === 1);
    hub.publish(KEY, packetOf('delta', 1));
    hub.publish(KEY, packetOf('key', 2));
    await waitFor('the first key frame', () => packets.length === 1);
    for (const on of [false, true]) client.send(JSON.stringify({ type: 'video', on }));
    hub.interrupt(KEY);
    client.ping();
    await once(client, 'pong');
    for (const packet of [packetOf('delta', 3), packetOf('key', 4)]) hub.publish(KEY, packet);
    await waitFor('both key frames', () => packets.length === 2);
    expect(packets.map(({ payload, discontinuity }) => [payload.byteLength, discontinuity])).toEqual([
      [2, false],
      [4, true],
    ]);
  });

  it.each([
    ['a wrong credential', GOOD.replace('good', 'bad'), 'link-refused'],
    ['no device', 'channel=1', 'bad-request'],
    ['no channel', 'deviceid=BUS1', 'bad-request'],
    ['channel 0', GOOD.replace('channel=1', 'channel=0'), 'bad-request'],
    ['a channel that is no number', GOOD.replace('channel=1', 'channel=1e1'), 'bad-request'],
  ])('says why it refuses %s, then closes', async (_what, query, code) => {
    const client = connect(query);
    const packets = listen(client);
    const [status] = await once(client, 'close');
    expect(status).toBe(1008);
    expect(parseStreamEvent(packets[0]?.payload ?? new Uint8Array())).toMatchObject({ type: 'error', code });
    expect(started).toEqual([]);
  });

  it.each([
    ['a foreign origin', '/stream/liveview/video.fuho', 403],
    ['another path', '/stream/other', 404],
  ])('does not upgrade for %s', async (_what, path, status) => {
    originAllowed = false;
    const client = connect(GOOD, path);
    const [error] = (await once(client, 'error')) as [Error];
    expect(error.message).toContain(String(status));
  });

  it('cuts a stream whose access cannot be asked, and reports the fault', async () => {
    accessFails = new Error('database gone');
    const [status] = await once(connect(GOOD), 'close');
    expect(status).toBe(1006);
    expect(faults[0]?.cause).toBe(accessFails);
  });

  it('cuts a viewer that sends more than a few words', async () => {
    const client = connect(GOOD);
    await once(client, 'open');
    client.send('x'.repeat(5_000));
    const [status] = await once(client, 'close');
    expect(status).toBe(1009);
  });

  it('ends every stream of a link within a second of its end', async () => {
    const ends = [connect(GOOD), connect(GOOD), connect(GOOD.replace('channel=1', 'channel=2'))].map((client) => ({
      packets: listen(client),
      closed: once(client, 'close'),
    }));
    await waitFor('the viewers', () => hub.viewerCount(KEY) === 2 && hub.viewerCount({ ...KEY, channel: 2 }) === 1);
    goodCredential = 'another';
    timers.advance(1_000);
    for (const { packets, closed } of ends) {
      expect((await closed)[0]).toBe(1008);
      expect(parseStreamEvent(packets.at(-1)?.payload ?? new Uint8Array())).toMatchObject({ code: 'link-refused' });
    }
  });

  it('keeps streams going while the database cannot be asked', async () => {
    const client = connect(GOOD);
    const packets = listen(client);
    await waitFor('the viewer', () => hub.viewerCount(KEY) === 1);
    accessFails = new Error('database gone');
    timers.advance(1_000);
    await waitFor('the fault', () => faults.length === 1);
    hub.publish(KEY, packetOf('key'));
    await waitFor('the picture', () => packets.length === 1);
  });

  it('serves so many sockets by one link, tells the others why not and closes them, and others’ links are free', async () => {
    const sockets = Array.from({ length: 150 }, () => connect(GOOD));
    const told = sockets.map(listen);
    const closed = sockets.map((socket) => once(socket, 'close'));
    await waitFor('the viewers', () => hub.viewerCount(KEY) === 128);
    const refused = await Promise.all(closed.slice(128));
    expect(refused.map(([status]) => status)).toEqual(Array.from({ length: 22 }, () => 1008));
    const last = told.at(-1)?.[0]?.payload ?? new Uint8Array();
    expect(parseStreamEvent(last)).toMatchObject({ type: 'error', code: 'too-many-streams' });
    connect(GOOD.replace('credential=good', 'credential=own'));
    await waitFor('a viewer by another link', () => hub.viewerCount(KEY) === 129);
    for (const socket of sockets) socket.terminate();
    await waitFor('the places are free', () => hub.viewerCount(KEY) === 1);
    connect(GOOD);
    await waitFor('a viewer by the same link', () => hub.viewerCount(KEY) === 2);
  });

  it('serves so many sockets by all links of one session', async () => {
    session = 'one';
    const sockets = Array.from({ length: 260 }, (_, at) => connect(GOOD.replace('=good', `=own${at % 4}`)));
    const closed: number[] = [];
    for (const socket of sockets) socket.on('close', (status) => closed.push(status));
    await waitFor('the refused', () => closed.length === 4);
    expect([hub.viewerCount(KEY), ...closed]).toEqual([256, 1008, 1008, 1008, 1008]);
  });

  it('says goodbye when it closes', async () => {
    const client = connect(GOOD);
    await once(client, 'open');
    const closed = once(client, 'close');
    await server.close();
    expect((await closed)[0]).toBe(1001);
  });
});
