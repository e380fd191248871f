// What a network and strangers do to the terminals' ports.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { type ConnectionLimits, MEDIA_LIMITS, SIGNALLING_LIMITS } from '../../../server/device/connectionCaps.ts';
import { GeneralResult, MessageId } from '../../../server/device/jt808/codec/codes.ts';
import { encodeFrame, FrameSplitter } from '../../../server/device/jt808/codec/frame.ts';
import { encodeHeader, terminalNumber } from '../../../server/device/jt808/codec/header.ts';
import { decodeMessage, encodeMessages, type MessageBody } from '../../../server/device/jt808/codec/message.ts';
import { listenTcp, type TcpListener } from '../../../server/device/tcpServer.ts';
import type { MediaAddress } from '../../../server/device/terminalSession.ts';
import { registrationOf } from '../../../simulator/vehicleProfile.ts';
import { waitFor } from '../../support/waitFor.ts';
import { KEY, PROFILE, Recorder, startTestGateway, type TestGateway } from './testGateway.ts';

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** What is to wait ten seconds waits for good: strangers stay for as long as there is room. */
function withheld(delayMs: number, run: () => void): () => void {
  const timer = delayMs < 10_000 ? setTimeout(run, delayMs) : undefined;
  return () => clearTimeout(timer);
}

async function dial(port: number, from = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from, noDelay: true });
  sockets.push(socket);
  socket.on('error', () => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

/** Waits until the bytes are out, or the socket is. */
function written(socket: Socket, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => socket.write(bytes, () => resolve()));
}

/** Connections that nobody speaks over, in portions that the listening queue takes. */
async function dialSilently(port: number, count: number): Promise<Socket[]> {
  const dialled: Socket[] = [];
  while (dialled.length < count) dialled.push(...(await Promise.all(Array.from({ length: 100 }, () => dial(port)))));
  return dialled;
}

describe('a port for terminals', () => {
  let listener: TcpListener;
  afterEach(() => listener.close());

  it('cuts the oldest of too many connections that say nothing, and none that has spoken', async () => {
    let accepted = 0;
    const silent50 = { ...SIGNALLING_LIMITS, silent: { name: 'silent', max: 50 } };
    const options = { host: '127.0.0.1', port: 0, limits: silent50, onLimit: () => undefined };
    listener = await listenTcp({ ...options, onFault: (error) => expect.fail(error.message) }, (socket) => {
      accepted++;
      socket.on('data', (bytes) => socket.write(bytes));
    });
    const spoken = await dial(listener.port);
    spoken.write('a');
    await once(spoken, 'data');
    const silent = await dialSilently(listener.port, 200);
    await waitFor('all are accepted', () => accepted === 201);
    await waitFor('the oldest are cut', () => silent.filter((socket) => socket.destroyed).length === 150);
    expect(silent.findIndex((socket) => !socket.destroyed)).toBe(150);
    spoken.write('b');
    expect(String((await once(spoken, 'data'))[0])).toBe('b');
    silent[199]?.write('c');
    expect(String((await once(silent[199] ?? spoken, 'data'))[0])).toBe('c');
  });
});

describe('terminals among strangers', { timeout: 60_000 }, () => {
  async function start(mediaLimits?: ConnectionLimits): Promise<TestGateway> {
    const test = await startTestGateway(mediaLimits === undefined ? undefined : withheld, { mediaLimits });
    onTestFinished(() => test.close());
    await test.addDevice();
    return test;
  }

  /** Where terminals are told to send their main stream. */
  const mediaPortOf = async (test: TestGateway): Promise<number> => {
    const requests: MediaAddress[] = [];
    const terminal = test.start(
      {},
      { onMessage: (body) => body.kind === 'liveRequest' && requests.push({ host: body.host, port: body.tcpPort }) },
    );
    await test.online();
    const subscription = test.hub.watch(KEY, new Recorder());
    const [address] = await waitFor(
      'the request',
      () => requests,
      (list) => list.length > 0,
    );
    subscription.close();
    terminal.stop();
    await waitFor('it is away', () => test.gateway.registry.session(PROFILE.deviceId) === undefined);
    return address?.port ?? 0;
  };

  it('sign in and send pictures while thousands of connections stay half-open, which then are cut', async () => {
    const test = await start();
    const mediaPort = await mediaPortOf(test);
    const signalling = await dialSilently(test.gateway.jt808Port, 2_000);
    const media = await dialSilently(mediaPort, 2_000);
    test.start();
    await test.online();
    const viewer = new Recorder();
    test.hub.watch(KEY, viewer);
    await waitFor(
      'pictures',
      () => viewer.video().length,
      (count) => count >= 75,
      20_000,
    );
    const times = viewer.video().map(({ mediaTimeUs }) => mediaTimeUs);
    expect(new Set(times.slice(1).map((time, at) => time - (times[at] ?? 0)))).toEqual(new Set([40_000]));
    expect(signalling.every((socket) => !socket.destroyed)).toBe(true);
    await waitFor('the silent ones are cut', () => media.every((socket) => socket.destroyed), Boolean, 30_000);
    expect(test.faults).toEqual([]);
  });

  it('send pictures while two addresses fill the media port with connections of one byte', async () => {
    const test = await start({
      ...MEDIA_LIMITS,
      open: { name: 'open', max: 40 },
      openByAddress: { name: 'openByAddress', max: 20 },
    });
    const mediaPort = await mediaPortOf(test);
    const strangers: Socket[] = [];
    for (const from of ['127.0.0.2', '127.0.0.3']) {
      for (let count = 0; count < 20; count++) {
        const stranger = await dial(mediaPort, from);
        await written(stranger, Uint8Array.of(0x30));
        strangers.push(stranger);
      }
    }
    test.start();
    await test.online();
    const viewer = new Recorder();
    test.hub.watch(KEY, viewer);
    await waitFor(
      'pictures',
      () => viewer.video().length,
      (count) => count > 0,
    );
    const cut = () => strangers.filter((socket) => socket.destroyed);
    await waitFor('the oldest is cut', () => cut().length > 0);
    expect(cut()).toEqual([strangers[0]]);
  });

  const fields = { edition: '2019', protocolVersion: 1, terminal: terminalNumber(PROFILE.number, '2019') } as const;
  const framesOf = (serial: number, body: MessageBody) => encodeMessages({ ...fields, serial }, body);

  it('sign in one byte at a time', async () => {
    const test = await start();
    const socket = await dial(test.gateway.jt808Port);
    const splitter = new FrameSplitter();
    const answers: MessageBody[] = [];
    socket.on('data', (chunk) => {
      for (const event of splitter.push(chunk)) {
        const result = event.kind === 'frame' ? decodeMessage(event.bytes) : undefined;
        if (result?.ok === true) answers.push(result.message.body);
      }
    });
    const dribble = async (frames: readonly Uint8Array[]): Promise<void> => {
      for (const byte of frames.flatMap((frame) => [...frame])) {
        socket.write(Uint8Array.of(byte));
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    await dribble(framesOf(0, registrationOf(PROFILE)));
    const registered = await waitFor('the code', () => answers.find(({ kind }) => kind === 'registrationReply'));
    if (registered?.kind !== 'registrationReply' || registered.code === undefined) throw new Error('no code');
    await dribble(framesOf(1, { kind: 'authentication', code: registered.code, imei: '', softwareVersion: '' }));
    await test.online();
    const reply = await waitFor('the answer', () => answers.find(({ kind }) => kind === 'platformGeneralReply'));
    expect(reply).toMatchObject({ result: GeneralResult.Ok });
  });

  it('are served while others send frames without end and packages without a last', async () => {
    const test = await start();
    const endless = await dial(test.gateway.jt808Port);
    const packages = await dial(test.gateway.jt808Port);
    const before = process.memoryUsage().rss;
    // A delimiter, then 64 MB of what never is another one.
    const filling = Buffer.alloc(64 * 1024, 0x30);
    endless.write(Uint8Array.of(0x7e));
    const body = new Uint8Array(256).fill(0x31);
    for (let turn = 0; turn < 1_000; turn++) {
      await Promise.all([written(endless, filling), written(packages, packageOf(body, turn + 1))]);
    }
    test.start();
    await test.online();
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
    expect(test.faults).toEqual([]);
  });

  /** One of the 65,535 packages of a registration. */
  function packageOf(body: Uint8Array, number: number): Uint8Array {
    const form = { messageId: MessageId.registration, bodyLength: body.length, part: { total: 65_535, number } };
    const header = encodeHeader({ ...fields, serial: number }, form);
    return encodeFrame(Uint8Array.from([...header, ...body]));
  }
});
