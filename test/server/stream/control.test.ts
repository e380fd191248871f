// The sockets by which a person acts on a vehicle, with raw clients and a device side that the test plays.
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { CommandFault, TalkPartner } from '../../../server/device/controls.ts';
import { Hub } from '../../../server/media/hub.ts';
import type { StreamAccess } from '../../../server/sockets/accessWatch.ts';
import type { AuditEntry } from '../../../server/store/audit/auditEntry.ts';
import { createStreamServer, type StreamServer } from '../../../server/stream/streamServer.ts';
import { ControlPath, parseControlEvent } from '../../../shared/protocol/stream/controlMessages.ts';
import { parseStreamEvent } from '../../../shared/protocol/stream/streamMessages.ts';
import { PacketKind, readMessage } from '../../../shared/protocol/stream/streamPacket.ts';
import { ManualTimers } from '../../support/fakes/manualTimers.ts';
import { type ServedEndpoints, serveEndpoints } from '../../support/gateway/serveEndpoints.ts';
import { waitFor } from '../../support/waitFor.ts';
import { formatPacket, packetOf } from '../../unit/server/media/packets.ts';

const QUERY = 'username=ann&credential=good&deviceid=BUS1&channel=1';
const REFUSED = { ok: false, code: 'link-refused', message: 'no' } as const;

interface Client {
  readonly socket: WebSocket;
  /** Events as objects, other packets by their kind. */
  readonly got: unknown[];
  readonly closed: Promise<unknown[]>;
}

describe('the sockets of control', () => {
  let server: ServedEndpoints;
  let streams: StreamServer;
  let timers: ManualTimers;
  let access: StreamAccess;
  let originAllowed: boolean;
  let trail: AuditEntry[];
  let faults: Error[];
  let orders: string[];
  let fault: CommandFault | undefined;
  let partner: TalkPartner | undefined;
  let spoken: number[];
  let line: 'offline' | 'in-use' | undefined;
  const clients: WebSocket[] = [];

  beforeEach(async () => {
    [trail, faults, orders, spoken] = [[], [], [], []];
    [access, originAllowed, fault, partner, line] = [{ ok: true }, true, undefined, undefined, undefined];
    timers = new ManualTimers();
    streams = createStreamServer({
      hub: new Hub({ source: { start: () => undefined, stop: () => undefined }, runAfter: timers.runAfter }),
      mayWatch: async () => REFUSED,
      controls: {
        mayControl: async () => access,
        audit: { add: async (entry) => void trail.push(entry) },
        port: {
          ptz: async ({ channel }, message) => {
            orders.push(`${channel} ${JSON.stringify(message)}`);
            return fault;
          },
          talk: (_target, listener) => {
            if (line !== undefined) return line;
            partner = listener;
            return { speak: (samples) => void spoken.push(...samples), hangUp: () => orders.push('hang up') };
          },
        },
      },
      isBusy: () => false,
      now: timers.now,
      runAfter: timers.runAfter,
      onFault: (error) => faults.push(error),
    });
    server = await serveEndpoints(streams.endpoints, {
      isAllowedOrigin: () => originAllowed,
      clientAddress: () => '203.0.113.9',
      onFault: (error) => faults.push(error),
    });
  });

  afterEach(async () => {
    for (const client of clients.splice(0)) client.terminate();
    await server.close();
    await streams.close();
    expect(faults).toEqual([]);
  });

  const connect = (path: string, query = QUERY): Client => {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}?${query}`);
    socket.binaryType = 'arraybuffer';
    clients.push(socket);
    const got: unknown[] = [];
    socket.on('message', (data: ArrayBuffer) => {
      for (const { kind, payload } of readMessage(new Uint8Array(data)).packets) {
        got.push(kind === PacketKind.Event ? (parseControlEvent(payload) ?? parseStreamEvent(payload)) : kind);
      }
    });
    socket.on('error', () => undefined);
    return { socket, got, closed: new Promise((resolve) => socket.on('close', (...reason) => resolve(reason))) };
  };

  const holdCamera = async (query = QUERY): Promise<Client> => {
    const client = connect(ControlPath.Ptz, query);
    await waitFor('the camera is held', () => client.got.length === 1);
    expect(client.got).toEqual([{ type: 'held' }]);
    return client;
  };

  const openLine = async (): Promise<Client> => {
    const client = connect(ControlPath.Talk);
    await waitFor('the terminal is asked', () => partner !== undefined);
    partner?.opened({ sampleRate: 8_000 });
    await waitFor('the line is open', () => client.got.length === 1);
    expect(client.got).toEqual([{ type: 'opened', sampleRate: 8_000 }]);
    return client;
  };

  const refusalOf = async (client: Client): Promise<unknown> => {
    const [status] = await client.closed;
    expect(status).toBe(1008);
    return (client.got.at(-1) as { readonly code?: string }).code;
  };

  describe.each(Object.values(ControlPath))('at %s', (path) => {
    it.each<[string, string, StreamAccess]>([
      ['bad-request', 'channel=1', { ok: true }],
      ['bad-request', 'deviceid=BUS1&channel=256', { ok: true }],
      ['link-refused', QUERY, REFUSED],
      ['not-fitted', QUERY, { ok: false, code: 'not-fitted', message: 'nothing there' }],
    ])('says %s, holds nothing and notes nothing', async (code, query, answer) => {
      access = answer;
      expect(await refusalOf(connect(path, query))).toBe(code);
      expect([trail, orders, partner]).toEqual([[], [], undefined]);
    });

    it('does not upgrade for a page of another site', async () => {
      originAllowed = false;
      const { socket } = connect(path);
      const [error] = (await once(socket, 'error')) as [Error];
      expect(error.message).toContain('403');
    });

    it('is held by one at a time, until that one has gone', async () => {
      const first = path === ControlPath.Ptz ? await holdCamera() : await openLine();
      expect(await refusalOf(connect(path))).toBe('in-use');
      first.socket.close();
      await first.closed;
      await waitFor('the end is noted', () => trail.length === 2);
      const next = connect(path);
      await waitFor('the next one holds it', () => trail.length === 3);
      expect(next.got.some((event) => (event as { type: string }).type === 'error')).toBe(false);
    });

    it('ends within a second of the link, and lets the next one in at once', async () => {
      const client = path === ControlPath.Ptz ? await holdCamera() : await openLine();
      client.socket.send('{"type":"zoom","direction":"in"}');
      if (path === ControlPath.Ptz) await waitFor('the movement', () => orders.length === 1);
      access = REFUSED;
      timers.advance(1_000);
      expect(await refusalOf(client)).toBe('link-refused');
      expect(orders.at(-1)).toBe(path === ControlPath.Ptz ? '1 {"type":"stop"}' : 'hang up');
      await waitFor('the end is noted', () => trail.length === 2);
      expect(trail[1]?.detail).toEqual({ channel: 1, durationMs: 1_000, reason: 'link-refused' });
    });
  });

  it('tells two cameras of a vehicle apart, and has one loudspeaker in it', async () => {
    await holdCamera();
    await holdCamera(QUERY.replace('channel=1', 'channel=2'));
    await openLine();
    expect(await refusalOf(connect(ControlPath.Talk, QUERY.replace('channel=1', 'channel=2')))).toBe('in-use');
  });

  it('notes who held what, from where, and for how long', async () => {
    const { socket } = await holdCamera();
    timers.advance(700);
    socket.close();
    await waitFor('the end is noted', () => trail.length === 2);
    const common = { actor: 'ann', target: 'BUS1', address: '203.0.113.9' };
    expect(trail).toEqual([
      { ...common, action: 'ptz.begin', detail: { channel: 1 } },
      { ...common, action: 'ptz.end', detail: { channel: 1, durationMs: 700, reason: 'closed' } },
    ]);
  });

  it('notes the ends of what is held when the gateway stops', async () => {
    await holdCamera();
    await openLine();
    await server.close();
    await streams.close();
    expect(trail.map(({ action }) => action).sort()).toEqual(['ptz.begin', 'ptz.end', 'talk.begin', 'talk.end']);
    expect(orders).toEqual(['hang up']);
  });

  it('carries out what is asked of a camera and ignores the rest', async () => {
    const { socket } = await holdCamera();
    for (const text of ['{"type":"move","direction":"left","speed":999}', 'no JSON', '[]', '{"type":"stop"}']) {
      socket.send(text);
    }
    socket.send(Buffer.from('{"type":"wiper","on":true}'));
    socket.send('{"type":"infrared","on":true}');
    await waitFor('two orders', () => orders.length === 2);
    expect(orders).toEqual(['1 {"type":"stop"}', '1 {"type":"infrared","on":true}']);
  });

  it('tells of a command that was not carried out, and holds on', async () => {
    const client = await holdCamera();
    fault = 'no-answer';
    client.socket.send('{"type":"stop"}');
    await waitFor('the fault', () => client.got.length === 2);
    expect(client.got[1]).toMatchObject({ type: 'failed', code: 'no-answer' });
    fault = undefined;
    client.socket.send('{"type":"wiper","on":true}');
    await waitFor('the next order', () => orders.length === 2);
  });

  it('stops a camera that moves when its page is lost', async () => {
    const { socket } = await holdCamera();
    socket.send('{"type":"move","direction":"left","speed":5}');
    await waitFor('the movement', () => orders.length === 1);
    socket.terminate();
    await waitFor('the stop', () => orders.length === 2);
    expect(orders[1]).toBe('1 {"type":"stop"}');
  });

  it('is not held up by a flood of movements', async () => {
    const { socket } = await holdCamera();
    for (let count = 0; count < 900; count++)
      socket.send(`{"type":"move","direction":"up","speed":${1 + (count % 255)}}`);
    socket.send('{"type":"stop"}');
    await waitFor('the stop', () => orders.at(-1) === '1 {"type":"stop"}');
  });

  it('carries speech down as it is, and sound up without pictures', async () => {
    const client = await openLine();
    client.socket.send(Int16Array.from([1, -2, 300]));
    client.socket.send(Uint8Array.from([5, 0, 9]));
    client.socket.send(new Uint8Array(0));
    client.socket.send('{"type":"stop"}');
    await waitFor('four samples', () => spoken.length === 4);
    expect(spoken).toEqual([1, -2, 300, 5]);
    for (const packet of [formatPacket(), packetOf('key'), packetOf('audio')]) partner?.packet(packet);
    await waitFor('the sound', () => client.got.length === 3);
    expect(client.got.slice(1)).toMatchObject([{ type: 'format' }, PacketKind.Audio]);
  });

  it('drops speech that comes before the line is open, or faster than it is spoken', async () => {
    const client = connect(ControlPath.Talk);
    await once(client.socket, 'open');
    await waitFor('the terminal is asked', () => partner !== undefined);
    client.socket.send(new Int16Array(100));
    client.socket.ping();
    await once(client.socket, 'pong');
    partner?.opened({ sampleRate: 8_000 });
    for (let count = 0; count < 20; count++) client.socket.send(new Int16Array(40_000));
    client.socket.ping();
    await once(client.socket, 'pong');
    expect(spoken).toHaveLength(3_200);
  });

  it('cuts whoever sends a megabyte in one message, and hangs up', async () => {
    const client = await openLine();
    client.socket.send(new Uint8Array(1024 * 1024));
    expect((await client.closed)[0]).toBe(1009);
    await waitFor('the line is closed', () => orders[0] === 'hang up');
  });

  it.each(['offline', 'refused', 'no-answer', 'codec', 'closed'] as const)(
    'says %s when the line ends so',
    async (reason) => {
      const client = await openLine();
      partner?.ended(reason);
      expect(await refusalOf(client)).toBe(reason);
      expect(trail.at(-1)).toMatchObject({ action: 'talk.end', detail: { reason } });
    },
  );

  it('says that the vehicle is away, or that its line is taken, and notes no talk', async () => {
    line = 'offline';
    expect(await refusalOf(connect(ControlPath.Talk))).toBe('offline');
    line = 'in-use';
    expect(await refusalOf(connect(ControlPath.Talk))).toBe('in-use');
    line = undefined;
    await openLine();
    expect(trail.map(({ action }) => action)).toEqual(['talk.begin']);
  });
});
