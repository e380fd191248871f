// The WebSockets below /stream/*: each is served or refused.
import type { WebSocket } from 'ws';
import { StreamPath } from '../../shared/protocol/api.ts';
import { ControlPath } from '../../shared/protocol/stream/controlMessages.ts';
import type { OnLimit } from '../limits/limit.ts';
import type { StreamQuality } from '../media/channelKey.ts';
import type { Hub } from '../media/hub.ts';
import { AccessWatch, type StreamAccess, type StreamGranted } from '../sockets/accessWatch.ts';
import { CONTROL_PING_LIMIT, Heartbeat, VIEWER_PING_LIMIT } from '../sockets/heartbeat.ts';
import { limitMessages, type MessageRates, SPEECH_RATES, VIEWER_RATES } from '../sockets/messageRate.ts';
import type { Refusal } from '../sockets/refusal.ts';
import type { OpenedSocket, SocketEndpoint } from '../sockets/socketEndpoint.ts';
import type { ChannelQuery } from './channelQuery.ts';
import type { ControlKind } from './control/controlLocks.ts';
import { type ControlDeps, ControlServer } from './control/controlServer.ts';
import { refuseSocket, sendNotice } from './events.ts';
import { FlushTimer } from './flushTimer.ts';
import { type LiveQuery, parseLiveQuery } from './live/liveQuery.ts';
import { serveLiveSocket } from './live/liveSocket.ts';
import type { PlaybackRoute, StreamKind } from './playback/playbackRoute.ts';
import { StreamLimits } from './streamLimits.ts';

export interface StreamServerDeps {
  readonly hub: Hub;
  /** Where recordings are watched. */
  readonly playback?: readonly PlaybackRoute[];
  /** May this link watch this channel now? Unknown device, foreign group and wrong credential are one answer. */
  readonly mayWatch: (query: ChannelQuery, kind: StreamKind, quality: StreamQuality | 'any') => Promise<StreamAccess>;
  /** Which stream is sent where one is asked for: a data plan may leave the smaller one alone. Left out: the one asked for. */
  readonly qualityFor?: (deviceId: string, asked: StreamQuality) => SentQuality;
  /** Told of devices whose `qualityFor` may answer otherwise. Returns its own removal. */
  readonly onQualities?: (listener: (deviceId: string) => void) => () => void;
  /** Told of each stream that a link opens. */
  readonly onLinkUsed?: (credential: string, address: string) => void;
  readonly controls: Omit<ControlDeps, 'now' | 'onFault' | 'onLimit'>;
  /** Whether this thread has more to do than it gets done: then packets for a viewer go out several together. */
  readonly isBusy: () => boolean;
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onLimit?: OnLimit;
  /** Told of faults of our own, such as a database that does not answer. */
  readonly onFault: (error: Error) => void;
}

interface SentQuality {
  readonly quality: StreamQuality;
  /** Why it is another one than the one asked for. */
  readonly notice?: Refusal | undefined;
}

export interface StreamServer {
  readonly endpoints: readonly SocketEndpoint[];
  /** Waits until the end of every control is noted; the sockets are closed by whoever opened them, before. */
  close(): Promise<void>;
}

/** What a busy gateway lets packets wait to go out together. */
const FLUSH_DELAY_MS = 5;
/** "Service restart" (RFC 6455): connect anew. */
const LIMIT_OVER = 1012;

export function createStreamServer(deps: StreamServerDeps): StreamServer {
  const { onLimit } = deps;
  const accessWatch = new AccessWatch(deps);
  const controlServer = new ControlServer(
    { ...deps.controls, now: deps.now, onFault: deps.onFault, onLimit },
    accessWatch,
  );
  const viewers = new Heartbeat(VIEWER_PING_LIMIT, deps);
  const controls = new Heartbeat(CONTROL_PING_LIMIT, deps);
  const timer = new FlushTimer(deps.runAfter, FLUSH_DELAY_MS);
  const limits = new StreamLimits(onLimit ?? (() => undefined));
  const gate: Gate = { ...deps, accessWatch, limits };
  const endpoint = (path: string, serve: SocketEndpoint['serve'], options?: EndpointOptions): SocketEndpoint => {
    const { heartbeat = viewers, rates = VIEWER_RATES } = options ?? {};
    return {
      path,
      maxMessageBytes: rates.messageBytes.max,
      serve: async (opened) => {
        heartbeat.add(opened.socket);
        limitMessages(opened.socket, rates, { ...deps, refuse: refuseSocket });
        const refusal = limits.enterByCredential(opened.socket, opened.parameters.get('credential') ?? '');
        if (refusal === undefined) await serve(opened);
        else refuseSocket(opened.socket, refusal);
      },
    };
  };
  const control =
    (kind: ControlKind) =>
    (opened: OpenedSocket): Promise<void> =>
      controlServer.admit(opened.socket, { ...opened, kind });
  return {
    endpoints: [
      endpoint(StreamPath.Live, (opened) => watch(opened, { ...deps, ...gate, timer })),
      ...(deps.playback ?? []).map((route) => endpoint(route.path, (opened) => play(opened, route, gate))),
      endpoint(ControlPath.Ptz, control('ptz'), { heartbeat: controls }),
      endpoint(ControlPath.Talk, control('talk'), { heartbeat: controls, rates: SPEECH_RATES }),
    ],
    close: async () => {
      viewers.close();
      controls.close();
      accessWatch.close();
      await controlServer.close();
    },
  };
}

interface EndpointOptions {
  readonly heartbeat: Heartbeat;
  readonly rates?: MessageRates;
}

interface Gate extends Pick<StreamServerDeps, 'mayWatch' | 'onLinkUsed'> {
  readonly accessWatch: AccessWatch;
  readonly limits: StreamLimits;
}

async function play(entry: OpenedSocket, route: PlaybackRoute, gate: Gate): Promise<void> {
  const { socket, connection, parameters } = entry;
  const request = route.parse(parameters);
  if (request === undefined) {
    refuseSocket(socket, { code: 'bad-request', message: 'The query lacks parameters of this stream.' });
    return;
  }
  const { query } = request;
  const granted = await admit(entry, { query, kind: route.kind, revoked: () => request.revoked?.() }, gate);
  if (granted !== undefined) request.serve(socket, connection, granted);
}

interface AdmissionRequest {
  readonly query: ChannelQuery;
  readonly kind: StreamKind;
  /** Left out: the device chooses. */
  readonly quality?: StreamQuality | 'any';
  readonly revoked?: () => void;
}

/** Undefined when the link does not open the channel; the socket is told so, and when it does no more. */
async function admit(
  { socket, address }: OpenedSocket,
  { query, kind, quality = 'any', revoked }: AdmissionRequest,
  gate: Gate,
): Promise<StreamGranted | undefined> {
  const { username, credential, deviceId, channel } = query;
  const ask = () => gate.mayWatch({ username, credential, deviceId, channel }, kind, quality);
  const access = await ask();
  if (socket.readyState !== socket.OPEN) return undefined;
  if (!access.ok) {
    refuseSocket(socket, access);
    return undefined;
  }
  const refusal = gate.limits.enterBySession(socket, access.session);
  if (refusal !== undefined) {
    refuseSocket(socket, refusal);
    return undefined;
  }
  gate.onLinkUsed?.(credential, address);
  const question = [kind, quality, username, credential, deviceId, channel];
  const stopWatching = gate.accessWatch.add(question, ask, (refusal) => {
    refuseSocket(socket, refusal);
    revoked?.();
  });
  socket.on('close', stopWatching);
  return access;
}

async function watch(
  entry: OpenedSocket,
  deps: StreamServerDeps & Gate & { readonly timer: FlushTimer },
): Promise<void> {
  const { socket, connection, parameters } = entry;
  const { timer, isBusy } = deps;
  const query = parseLiveQuery(parameters);
  if (query === undefined) {
    refuseSocket(socket, { code: 'bad-request', message: 'The query needs deviceid and channel.' });
    return;
  }
  const { deviceId, channel } = query;
  const { quality, notice } = deps.qualityFor?.(deviceId, query.quality) ?? { quality: query.quality };
  if ((await admit(entry, { query, kind: 'live', quality }, deps)) === undefined) return;
  if (notice !== undefined) {
    sendNotice(socket, notice);
    endWithLimit(socket, query, deps);
  }
  const key = { deviceId, channel, quality } as const;
  const { now, onLimit, hub } = deps;
  const sender = { timer, isBusy, connection, traffic: hub.traffic };
  serveLiveSocket(socket, { ...sender, key, wantsAudio: query.wantsAudio, now, onLimit }, hub);
}

/** Whoever connects anew gets the stream that was asked for: another stream on the same socket would break a decoder. */
function endWithLimit(
  socket: WebSocket,
  { deviceId, quality }: LiveQuery,
  { qualityFor, onQualities }: Pick<StreamServerDeps, 'qualityFor' | 'onQualities'>,
): void {
  const endIfLifted = (): void => {
    if (qualityFor?.(deviceId, quality).quality === quality) socket.close(LIMIT_OVER, 'limit-over');
  };
  const stop = onQualities?.((changed) => {
    if (changed === deviceId) endIfLifted();
  });
  if (stop !== undefined) socket.on('close', stop);
  // The limit may have gone while the link was checked.
  endIfLifted();
}
