// The WebSocket side of /stream/*: upgrades in, one served or refused socket out.
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { StreamPath } from '../../shared/protocol/api.ts';
import { ControlPath } from '../../shared/protocol/controlMessages.ts';
import type { OnLimit } from '../limits/limit.ts';
import { AccessWatch, type StreamAccess, type StreamGranted } from './accessWatch.ts';
import type { ChannelQuery } from './channelQuery.ts';
import { type ControlDeps, ControlDesk } from './control/controlDesk.ts';
import type { ControlKind } from './control/holds.ts';
import { refuseSocket } from './events.ts';
import { FlushTimer } from './flushTimer.ts';
import { Heartbeat } from './heartbeat.ts';
import type { Hub } from './hub.ts';
import { parseLiveQuery } from './liveQuery.ts';
import { serveLiveSocket } from './liveSocket.ts';
import type { PlaybackRoute, StreamKind } from './playbackRoute.ts';

export interface StreamServerDeps {
  readonly hub: Hub;
  /** Where recordings are watched. */
  readonly playback?: readonly PlaybackRoute[];
  readonly isAllowedOrigin: (request: IncomingMessage) => boolean;
  /** Whom the request comes from, behind trusted proxies too. */
  readonly clientAddress: (request: IncomingMessage) => string;
  /** May this link watch this channel now? Unknown device, foreign group and wrong credential are one answer. */
  readonly mayWatch: (query: ChannelQuery, kind: StreamKind) => Promise<StreamAccess>;
  /** Told of each stream that a link opens. */
  readonly onLinkUsed?: (credential: string, address: string) => void;
  readonly controls: Omit<ControlDeps, 'now' | 'onFault'>;
  /** Whether this thread has more to do than it gets done: then packets for a viewer go out several together. */
  readonly isBusy: () => boolean;
  readonly now: () => number;
  readonly after: (delayMs: number, run: () => void) => () => void;
  readonly onLimit?: OnLimit;
  /** Told of faults of our own, such as a database that does not answer. */
  readonly onFault: (error: Error) => void;
}

/** Viewers only send a few words of control; anything longer is no viewer. */
const MAX_CLIENT_MESSAGE_BYTES = 4 * 1024;

export interface StreamServer {
  /** Takes an upgrade that is meant for a stream; false when the path is none of ours and the socket is untouched. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** Says goodbye to every viewer; who does not answer soon is cut. */
  close(): Promise<void>;
}

/** A second of speech at any rate that terminals take. */
const MAX_SPEECH_MESSAGE_BYTES = 96 * 1024;
/** Whoever holds a camera that turns is missed sooner than a viewer. */
const CONTROL_PING_INTERVAL_MS = 5_000;

/** What a busy gateway lets packets wait to go out together. */
const FLUSH_DELAY_MS = 5;

/** One socket that was let in, and what it asks for. */
interface Entry {
  readonly socket: WebSocket;
  readonly connection: Duplex;
  readonly request: IncomingMessage;
  readonly parameters: URLSearchParams;
}

/** What is served at one path. */
interface Door {
  readonly sockets: WebSocketServer;
  readonly heartbeat: Heartbeat;
  readonly enter: (entry: Entry) => Promise<void>;
}

export function createStreamServer(deps: StreamServerDeps): StreamServer {
  const accessWatch = new AccessWatch(deps);
  const desk = new ControlDesk({ ...deps.controls, now: deps.now, onFault: deps.onFault }, accessWatch);
  const heartbeats = { viewers: new Heartbeat(), controls: new Heartbeat(CONTROL_PING_INTERVAL_MS) };
  const timer = new FlushTimer(deps.after, FLUSH_DELAY_MS);
  const sockets = webSockets(MAX_CLIENT_MESSAGE_BYTES);
  const speech = webSockets(MAX_SPEECH_MESSAGE_BYTES);
  const control = (kind: ControlKind) => (entry: Entry) =>
    desk.admit(entry.socket, { ...entry, kind, address: deps.clientAddress(entry.request) });
  const doors: Readonly<Record<string, Door>> = {
    [StreamPath.Live]: {
      sockets,
      heartbeat: heartbeats.viewers,
      enter: (entry) => watch(entry, { ...deps, accessWatch, timer }),
    },
    ...playbackDoors(deps, { sockets, heartbeat: heartbeats.viewers, accessWatch }),
    [ControlPath.Ptz]: { sockets, heartbeat: heartbeats.controls, enter: control('ptz') },
    [ControlPath.Talk]: { sockets: speech, heartbeat: heartbeats.controls, enter: control('talk') },
  };
  return {
    handleUpgrade: (request, connection, head) => {
      const url = new URL(request.url ?? '/', 'http://gateway');
      const door = Object.hasOwn(doors, url.pathname) ? doors[url.pathname] : undefined;
      if (door === undefined) return false;
      if (!deps.isAllowedOrigin(request)) {
        connection.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
        return true;
      }
      door.sockets.handleUpgrade(request, connection, head, (socket) => {
        door.heartbeat.add(socket);
        door.enter({ socket, connection, request, parameters: url.searchParams }).catch((error: unknown) => {
          socket.terminate();
          deps.onFault(new Error('a stream could not be opened', { cause: error }));
        });
      });
      return true;
    },
    close: async () => {
      for (const heartbeat of Object.values(heartbeats)) heartbeat.close();
      accessWatch.close();
      await Promise.all([sockets, speech].map(dismissAll));
      await desk.close();
    },
  };
}

function webSockets(maxPayload: number): WebSocketServer {
  return new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload });
}

function playbackDoors(
  deps: StreamServerDeps,
  { accessWatch, ...shared }: Pick<Door, 'sockets' | 'heartbeat'> & { readonly accessWatch: AccessWatch },
): Record<string, Door> {
  const doors = (deps.playback ?? []).map((route): [string, Door] => [
    route.path,
    { ...shared, enter: (entry) => play(entry, route, { ...deps, accessWatch }) },
  ]);
  return Object.fromEntries(doors);
}

interface Gate extends Pick<StreamServerDeps, 'mayWatch' | 'onLinkUsed' | 'clientAddress'> {
  readonly accessWatch: AccessWatch;
}

async function play(entry: Entry, route: PlaybackRoute, gate: Gate): Promise<void> {
  const { socket, connection, parameters } = entry;
  const request = route.parse(parameters);
  if (request === undefined) {
    refuseSocket(socket, { code: 'bad-request', message: 'the query names too little' });
    return;
  }
  const { query } = request;
  const granted = await admit(entry, { query, kind: route.kind, revoked: () => request.revoked?.() }, gate);
  if (granted !== undefined) request.serve(socket, connection, granted);
}

interface Wish {
  readonly query: ChannelQuery;
  readonly kind: StreamKind;
  readonly revoked?: () => void;
}

/** Undefined when the link does not open the channel; the socket is told so, and when it does no more. */
async function admit(
  { socket, request }: Entry,
  { query, kind, revoked }: Wish,
  gate: Gate,
): Promise<StreamGranted | undefined> {
  const { username, credential, deviceId, channel } = query;
  const ask = () => gate.mayWatch({ username, credential, deviceId, channel }, kind);
  const access = await ask();
  if (socket.readyState !== socket.OPEN) return undefined;
  if (!access.ok) {
    refuseSocket(socket, access);
    return undefined;
  }
  gate.onLinkUsed?.(credential, gate.clientAddress(request));
  const question = [kind, username, credential, deviceId, channel];
  const stopWatching = gate.accessWatch.add(question, ask, (refusal) => {
    refuseSocket(socket, refusal);
    revoked?.();
  });
  socket.on('close', stopWatching);
  return access;
}

async function watch(entry: Entry, deps: StreamServerDeps & Gate & { readonly timer: FlushTimer }): Promise<void> {
  const { socket, connection, parameters } = entry;
  const { timer, isBusy } = deps;
  const query = parseLiveQuery(parameters);
  if (query === undefined) {
    refuseSocket(socket, { code: 'bad-request', message: 'deviceid and channel are needed' });
    return;
  }
  if ((await admit(entry, { query, kind: 'live' }, deps)) === undefined) return;
  const { deviceId, channel, quality } = query;
  const key = { deviceId, channel, quality } as const;
  serveLiveSocket(
    socket,
    { timer, isBusy, connection, traffic: deps.hub.traffic, key, wantsAudio: query.wantsAudio },
    deps.hub,
  );
}

const GOODBYE_TIMEOUT_MS = 500;

async function dismissAll(sockets: WebSocketServer): Promise<void> {
  sockets.close();
  await Promise.all([...sockets.clients].map(dismiss));
}

async function dismiss(client: WebSocket): Promise<void> {
  const cut = setTimeout(() => client.terminate(), GOODBYE_TIMEOUT_MS);
  client.close(1001, 'going away');
  await once(client, 'close');
  clearTimeout(cut);
}
