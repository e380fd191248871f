// One viewer on a bad line among good ones, and viewers that lie about how much they will send.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { Hub } from '../../../server/media/hub.ts';
import { createHubPacket, type HubPacket } from '../../../server/media/hubPacket.ts';
import { MediaLoss } from '../../../server/media/mediaLoss.ts';
import type { OpenedSocket } from '../../../server/sockets/socketEndpoint.ts';
import { createStreamServer, type StreamServer } from '../../../server/stream/streamServer.ts';
import { QUEUED_BYTES_LIMIT } from '../../../server/stream/viewerQueue.ts';
import { Codec, PacketKind, readMessage, type StreamPacket } from '../../../shared/protocol/stream/streamPacket.ts';
import { mediaUs, wallMs } from '../../../shared/protocol/time.ts';
import { NO_CONTROLS } from '../../support/fakes/noControls.ts';
import { type ServedEndpoints, serveEndpoints } from '../../support/gateway/serveEndpoints.ts';
import { waitFor } from '../../support/waitFor.ts';

const KEY = { deviceId: 'BUS1', channel: 1, quality: 'main' } as const;
const PATH = '/stream/liveview/video.fuho?deviceid=BUS1&channel=1&audio=0';
const GROUP = 50;
const PACKET_BYTES = 20_000;

const runAfter = (delayMs: number, run: () => void): (() => void) => {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
};

/** Picture number `number` of a stream of 4 Mbit/s. */
function picture(number: number): HubPacket {
  const isKey = number % GROUP === 0;
  const header = { kind: PacketKind.Video, codec: Codec.H264, key: isKey, discontinuity: false };
  const times = { mediaTimeUs: mediaUs(number * 40_000), deviceTimeMs: wallMs(0) };
  return createHubPacket({ ...header, ...times }, new Uint8Array(PACKET_BYTES));
}

const numberOf = ({ mediaTimeUs }: StreamPacket): number => mediaTimeUs / 40_000;

describe('a stream with viewers of all kinds', { timeout: 60_000 }, () => {
  let server: ServedEndpoints;
  let streams: StreamServer;
  let hub: Hub;
  let loss: MediaLoss;
  /** The gateway's ends, in the order in which the viewers came. */
  let ends: Duplex[];
  const clients: (WebSocket | Socket)[] = [];

  beforeEach(async () => {
    ends = [];
    loss = new MediaLoss();
    hub = new Hub({ source: { start: () => undefined, stop: () => undefined }, runAfter, onMediaLoss: loss.note });
    streams = createStreamServer({
      ...NO_CONTROLS,
      hub,
      mayWatch: async () => ({ ok: true }),
      runAfter,
      onFault: (error) => {
        throw error;
      },
    });
    const noted = streams.endpoints.map((endpoint) => ({
      ...endpoint,
      serve: (opened: OpenedSocket) => {
        ends.push(opened.connection);
        return endpoint.serve(opened);
      },
    }));
    server = await serveEndpoints(noted);
  });

  afterEach(async () => {
    for (const client of clients.splice(0)) {
      if (client instanceof WebSocket) client.terminate();
      else client.destroy();
    }
    await server.close();
    await streams.close();
  });

  const portOf = (): number => server.port;

  /** A WebSocket by hand, so that it can stop reading at any byte; gives the packets of the bytes it has read. */
  async function openRaw(): Promise<{ readonly socket: Socket; packets(): StreamPacket[] }> {
    const socket = connect(portOf(), '127.0.0.1');
    clients.push(socket);
    socket.on('error', () => socket.destroy());
    socket.write(
      `GET ${PATH} HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n`,
    );
    const [answer] = (await once(socket, 'data')) as [Buffer];
    const read: Buffer[] = [answer.subarray(answer.indexOf('\r\n\r\n') + 4)];
    socket.on('data', (chunk) => read.push(chunk));
    return { socket, packets: () => packetsOf(Buffer.concat(read)) };
  }

  /** The packets of the whole frames in these bytes. */
  function packetsOf(bytes: Buffer): StreamPacket[] {
    const packets: StreamPacket[] = [];
    for (let at = 0; at + 10 <= bytes.length; ) {
      const short = bytes[at + 1] ?? 0;
      const header = short < 126 ? 2 : short === 126 ? 4 : 10;
      const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(at + 2) : bytes.readUInt32BE(at + 6);
      if (at + header + length > bytes.length) break;
      const isBinary = ((bytes[at] ?? 0) & 0x0f) === 2;
      const body = Uint8Array.from(bytes.subarray(at + header, at + header + length));
      if (isBinary) packets.push(...readMessage(body).packets);
      at += header + length;
    }
    return packets;
  }

  it('slows nobody for one at 50 kbit/s, holds little for it, and sends it whole groups', async () => {
    const slow = await openRaw();
    await waitFor('the slow viewer', () => hub.viewerCount(KEY) === 1);
    slow.socket.pause();
    // 625 bytes ten times a second.
    const dribble = setInterval(() => slow.socket.read(625), 100);
    const seen = Array.from({ length: 5 }, (): number[] => []);
    for (const numbers of seen) {
      const client = new WebSocket(`ws://127.0.0.1:${portOf()}${PATH}`);
      client.binaryType = 'arraybuffer';
      clients.push(client);
      client.on('message', (data: ArrayBuffer) => {
        numbers.push(...readMessage(new Uint8Array(data)).packets.map(numberOf));
      });
    }
    await waitFor('all viewers', () => hub.viewerCount(KEY) === 6);
    const [slowEnd] = ends;
    let mostHeldBytes = 0;
    const pictures = 1_500; // a minute, as fast as the good ones take it
    for (let number = 0; number < pictures; number++) {
      hub.publish(KEY, picture(number));
      mostHeldBytes = Math.max(mostHeldBytes, slowEnd?.writableLength ?? 0);
      if (number % 10 === 9) await waitFor('the good ones', () => seen.every((each) => each.length === number + 1));
    }
    clearInterval(dribble);
    expect(seen.every((numbers) => numbers.every((each, at) => each === at))).toBe(true);
    // Every group but those that the connection and its list held is counted, once, under its channel.
    expect(loss.totals['viewer-group']).toBeGreaterThan(pictures / GROUP / 2);
    expect(loss.totals['viewer-group']).toBeLessThanOrEqual(pictures / GROUP);
    expect(loss.of('BUS1')).toMatchObject([{ channel: 1, counts: { 'viewer-group': loss.totals['viewer-group'] } }]);
    expect(mostHeldBytes).toBeGreaterThan(0);
    expect(mostHeldBytes).toBeLessThan(QUEUED_BYTES_LIMIT.max + 2 * PACKET_BYTES);

    // The line recovers: what was held comes, then the next group.
    slow.socket.resume();
    await waitFor('the line is empty', () => slowEnd?.writableLength === 0);
    for (let number = pictures; number < pictures + GROUP; number++) hub.publish(KEY, picture(number));
    const last = pictures + GROUP - 1;
    const packets = await waitFor(
      'the newest picture',
      () => slow.packets(),
      (list) => list.map(numberOf).at(-1) === last,
    );
    expect(packets.length).toBeLessThan(pictures / 2);
    packets.forEach((packet, at) => {
      const before = packets[at - 1];
      if (before === undefined || numberOf(packet) === numberOf(before) + 1) expect(packet.discontinuity).toBe(false);
      else expect([packet.key, packet.discontinuity]).toEqual([true, true]);
    });
  });

  it('cuts one that announces a message of four gigabytes, or of more than a few words', async () => {
    const announcements = [
      [0x82, 0xff, 0, 0, 0, 1, 0, 0, 0, 0],
      [0x82, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
      [0x81, 0xfe, 0xff, 0xff],
    ];
    for (const announcement of announcements) {
      const { socket } = await openRaw();
      socket.write(Uint8Array.from(announcement));
      await once(socket, 'close');
    }
    await waitFor('they have gone', () => hub.viewerCount(KEY) === 0);
  });

  it('reads what a viewer says one byte at a time', async () => {
    const { socket, packets } = await openRaw();
    await waitFor('the viewer', () => hub.viewerCount(KEY) === 1);
    const text = Buffer.from('{"type":"video","on":false}');
    // Masked with zeros, as RFC 6455 lets a client.
    for (const byte of [0x81, 0x80 | text.length, 0, 0, 0, 0, ...text]) {
      socket.write(Uint8Array.of(byte));
      await delay(1);
    }
    await waitFor('it is heard', async () => {
      const before = packets().length;
      hub.publish(KEY, picture(0));
      await delay(20);
      return packets().length === before;
    });
  });
});
