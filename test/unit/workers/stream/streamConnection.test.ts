import { describe, expect, it } from 'vitest';
import { encodeStreamEvent, type StreamEvent } from '../../../../shared/protocol/stream/streamMessages.ts';
import { PacketKind } from '../../../../shared/protocol/stream/streamPacket.ts';
import { StreamConnection, type StreamSocket } from '../../../../workers/stream/streamConnection.ts';
import type { ToVideoStream } from '../../../../workers/video/messages.ts';
import { message, packet } from '../packets.ts';

class FakeSocket implements StreamSocket {
  binaryType: BinaryType = 'blob';
  onopen: StreamSocket['onopen'] = null;
  onmessage: StreamSocket['onmessage'] = null;
  onclose: StreamSocket['onclose'] = null;
  readyState = 1;
  readonly sent: (string | ArrayBuffer)[] = [];
  isClosed = false;

  send(data: string | ArrayBuffer): void {
    this.sent.push(data);
  }

  close(): void {
    this.isClosed = true;
  }

  receive(data: unknown): void {
    this.onmessage?.({ data } as MessageEvent);
  }
}

function setUp() {
  const sockets: FakeSocket[] = [];
  const log: string[] = [];
  const toVideo: { readonly message: ToVideoStream; readonly transfer: readonly Transferable[] }[] = [];
  const connection = new StreamConnection({
    url: 'ws://gateway/stream',
    connect: () => {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket;
    },
    port: {
      postMessage: (posted, transfer) => toVideo.push({ message: posted, transfer }),
      close: () => log.push('port closed'),
    },
    sink: {
      opened: () => log.push('opened'),
      received: (packets, bytes) => log.push(`received ${packets} in ${bytes}`),
      event: (event) => log.push(`event ${event.type}`),
      closed: (code) => log.push(`closed ${code}`),
      control: () => 0,
      audio: () => log.push('audio'),
      fault: (kind) => log.push(`fault ${kind}`),
    },
  });
  const socket = (index: number): FakeSocket => {
    const found = sockets[index];
    if (found === undefined) throw new Error(`no socket ${index}`);
    return found;
  };
  return { connection, sockets, socket, log, toVideo };
}

describe('StreamConnection', () => {
  it('moves the units of a message to the decoder in one transfer', () => {
    const { socket, toVideo, log } = setUp();
    const buffer = message(packet({ payload: [1], key: true }), packet({ payload: [2] }));
    socket(0).receive(buffer);
    expect(toVideo.map((post) => post.message.type)).toEqual(['start', 'units']);
    expect(toVideo[1]?.transfer).toEqual([buffer]);
    expect(log).toEqual(['received 2 in 50']);
  });

  it('tells the decoder of a new connection before anything of it', () => {
    const { connection, socket, toVideo } = setUp();
    socket(0).receive(message(packet({ payload: [1] })));
    connection.reconnect();
    socket(1).receive(message(packet({ payload: [2] })));
    expect(toVideo.map((post) => post.message.type)).toEqual(['start', 'units', 'start', 'units']);
  });

  it('closes the old socket on reconnecting, and hears nothing more of it', () => {
    const { connection, socket, log } = setUp();
    connection.reconnect();
    expect(socket(0).isClosed).toBe(true);
    expect([socket(0).onmessage, socket(0).onclose]).toEqual([null, null]);
    expect(log).toEqual([]);
  });

  it('reports a socket that closes by itself', () => {
    const { socket, log } = setUp();
    socket(0).onclose?.({ code: 1006 } as CloseEvent);
    expect(log).toEqual(['closed 1006']);
  });

  it('passes events on to the page and keeps them from the decoder', () => {
    const { socket, log, toVideo } = setUp();
    const event = { type: 'error', code: 'E-1', message: 'no' } as const;
    socket(0).receive(message(packet({ kind: PacketKind.Event, payload: encodeStreamEvent(event) })));
    expect(log).toContain('event error');
    expect(toVideo).toHaveLength(1);
  });

  it('tells the decoder of the session clock ahead of what came with it, and of silence behind it', () => {
    const { socket, log, toVideo } = setUp();
    const clock = { type: 'clock', positionMs: 5, speed: 1, paused: false } as const;
    const gap = { type: 'gap', untilMs: null } as const;
    const event = (payload: StreamEvent) => packet({ kind: PacketKind.Event, payload: encodeStreamEvent(payload) });
    socket(0).receive(message(packet({ payload: Uint8Array.of(1) }), event(clock), event(gap)));
    const told = toVideo.map((posted) => posted.message.type);
    expect(told).toEqual(['start', 'clock', 'units', 'gap']);
    expect(log).toEqual(expect.arrayContaining(['event clock', 'event gap']));
  });

  it('goes on after a damaged message, and ends at an unknown version', () => {
    const { socket, log } = setUp();
    socket(0).receive(message(Uint8Array.of(1, 1)));
    expect(socket(0).isClosed).toBe(false);
    socket(0).receive(message(Uint8Array.of(9, 1)));
    expect(socket(0).isClosed).toBe(true);
    expect(log.filter((line) => line.startsWith('fault'))).toEqual(['fault damaged', 'fault version']);
  });

  it('sends a viewer message only on an open socket', () => {
    const { connection, socket } = setUp();
    connection.send({ type: 'video', on: false });
    socket(0).readyState = 0;
    connection.send({ type: 'video', on: true });
    expect(socket(0).sent).toEqual(['{"type":"video","on":false}']);
  });

  it('closes socket and port, and may be closed twice', () => {
    const { connection, socket, log } = setUp();
    connection.close();
    connection.close();
    expect(socket(0).isClosed).toBe(true);
    expect(log).toContain('port closed');
  });

  it('sends speech as it comes while the socket is open, and closes where it comes from', () => {
    const { connection, socket } = setUp();
    const speech: { onmessage: MessagePort['onmessage']; isClosed: boolean; close: () => void } = {
      onmessage: null,
      isClosed: false,
      close: () => {
        speech.isClosed = true;
      },
    };
    const say = (data: unknown) => speech.onmessage?.call({} as MessagePort, { data } as MessageEvent);
    connection.setSpeechPort(speech);
    const piece = new ArrayBuffer(4);
    socket(0).readyState = 0;
    say(piece);
    socket(0).readyState = 1;
    say(piece);
    say('no speech');
    expect(socket(0).sent).toEqual([piece]);
    connection.close();
    expect(speech.isClosed).toBe(true);
  });
});
