// All endpoints of streams and live updates, and clients of theirs, real ones and such as need no connection.
import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { WebSocket } from 'ws';
import { LiveUpdates } from '../../../server/fleet/updates/liveUpdates.ts';
import { createUpdatesServer } from '../../../server/fleet/updates/updatesServer.ts';
import type { OnLimit } from '../../../server/limits/limit.ts';
import { Hub } from '../../../server/media/hub.ts';
import { createStreamServer } from '../../../server/stream/streamServer.ts';
import { ManualTimers } from '../../support/fakes/manualTimers.ts';
import { EVERY_TOPIC, fleetSources } from '../../support/fleetSources.ts';
import { settled } from '../../unit/server/device/jt808/fakeTerminal.ts';

export const KEY = { deviceId: 'BUS1', channel: 1, quality: 'main' } as const;
const onFault = (error: Error): never => {
  throw error;
};

/** A WebSocket as the server sees it. */
export class FakeWebSocket extends EventEmitter {
  readonly OPEN = 1;
  readyState = 1;
  bufferedAmount = 0;
  sent = 0;
  readonly pings: string[] = [];
  closedWith: { readonly status: number; readonly reason: string } | undefined;
  isCut = false;

  send(): void {
    this.sent++;
  }

  ping(data: string): void {
    this.pings.push(data);
  }

  close(status: number, reason: string): void {
    this.closedWith = { status, reason };
    this.readyState = 2;
  }

  terminate(): void {
    if (this.readyState === 3) return;
    this.isCut = true;
    this.leave();
  }

  leave(): void {
    this.readyState = 3;
    this.emit('close');
  }

  say(message: string | Buffer): void {
    const isBinary = typeof message !== 'string';
    this.emit('message', isBinary ? message : Buffer.from(message), isBinary);
  }

  asSocket(): WebSocket {
    return this as unknown as WebSocket;
  }
}

/** A connection whose other end takes everything and says nothing; what was written is kept. */
export class FakeConnection extends Duplex {
  readonly written: Buffer[] = [];

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.written.push(chunk);
    done();
  }
}

export interface FakeClient {
  readonly socket: FakeWebSocket;
  readonly connection: FakeConnection;
}

/** Everybody may watch, as one and the same session. */
export function openStreams(onLimit: OnLimit) {
  const timers = new ManualTimers();
  const common = { now: timers.now, runAfter: timers.runAfter, onFault, onLimit };
  const hub = new Hub({ source: { start: () => undefined, stop: () => undefined }, runAfter: timers.runAfter });
  const streams = createStreamServer({
    ...common,
    hub,
    mayWatch: async () => ({ ok: true, session: 'session' }),
    controls: {
      port: { ptz: async () => undefined, talk: () => ({ speak: () => undefined, hangUp: () => undefined }) },
      mayControl: async () => ({ ok: true }),
      audit: { add: async () => undefined },
    },
    isBusy: () => false,
  });
  const updates = new LiveUpdates({ ...common, sources: fleetSources().sources, deviceGroupsOf: async () => [] });
  const updatesServer = createUpdatesServer({
    ...common,
    updates,
    proofOf: () => ({ kind: 'cookie', secret: 'one' }),
    recognise: async () => ({ session: 'one', memberGroup: 1, topics: EVERY_TOPIC }),
  });
  onTestFinished(async () => {
    await streams.close();
    updatesServer.close();
    updates.close();
  });
  const endpoints = [...streams.endpoints, updatesServer.endpoint];
  /** Resolves once the client is served or refused. */
  const open = async (path: string, credential = 'one'): Promise<FakeClient> => {
    const endpoint = endpoints.find((each) => each.path === path);
    const client = { socket: new FakeWebSocket(), connection: new FakeConnection() };
    const parameters = new URLSearchParams({ username: 'ann', credential, deviceid: KEY.deviceId, channel: '1' });
    const served = endpoint?.serve({
      socket: client.socket.asSocket(),
      connection: client.connection,
      parameters,
      address: '192.0.2.1',
      request: {} as IncomingMessage,
    });
    served?.catch(onFault);
    await settled();
    return client;
  };
  return { timers, hub, endpoints, open };
}
