// The gateway's device side as one part: terminals sign in, report, and send media when the hub's viewers want it.
import { inBackground } from '../faults/background.ts';
import type { DeviceOwners } from '../limits/deviceOwners.ts';
import type { OnLimit } from '../limits/limit.ts';
import type { OnMediaLoss } from '../media/mediaLoss.ts';
import { listenForAttachments } from './attachments/attachmentPort.ts';
import type { AttachmentSink } from './attachments/attachmentSink.ts';
import { channelOfWire } from './channelNumbers.ts';
import { type ConnectionLimits, MEDIA_LIMITS, SIGNALLING_LIMITS } from './connectionCaps.ts';
import { createControlPort } from './controlPort.ts';
import type { ControlPort } from './controls.ts';
import { PackageBytes } from './jt808/inbox.ts';
import { PackagePace } from './jt808/packages/packagePace.ts';
import { type SignallingDeps, SignallingSession } from './jt808/signallingSession.ts';
import { createTerminalAuthenticator, type RefusedTerminal, type SignInStores } from './jt808/terminalAuthenticator.ts';
import { WaitingBytes } from './jt808/waitingBytes.ts';
import { MediaExpectations, MediaPort } from './jt1078/mediaExpectations.ts';
import { MediaSession } from './jt1078/mediaSession.ts';
import { LiveSource } from './liveSource.ts';
import { type NamedListener, namedListeners } from './namedListeners.ts';
import { noteFacts } from './noteFacts.ts';
import { PlaybackSource } from './playback/playbackSource.ts';
import { RecordingList } from './playback/recordingList.ts';
import { PositionBuffer, type PositionBufferDeps } from './positionBuffer.ts';
import { deviceOf } from './positionReports.ts';
import type { DeviceRegistry } from './registry.ts';
import type { ReportFeed } from './reportFeed.ts';
import { handleReport } from './reports.ts';
import { TalkSource } from './talkSource.ts';
import { allListening, listenTcp, type TcpListener, type TcpOptions } from './tcpServer.ts';
import { learnTerminal } from './terminalFacts.ts';
import type { MediaAddress, TerminalSession } from './terminalSession.ts';
import { Turns } from './turns.ts';
import { NO_PLANS, type PlanGate } from './usage/planGate.ts';
import { SocketUses } from './usage/socketUse.ts';
import { NO_TRAFFIC_METER, type TrafficMeter } from './usage/trafficMeter.ts';

export interface DevicePorts {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly jt808Port: number;
  /** The first of four: main, sub, playback, talk. 0 lets the system choose each. */
  readonly jt1078Port: number;
  /** Address that terminals are told to dial. Undefined: the address on which they signed in, with the ports listened on. */
  readonly publicHost: string | undefined;
  readonly publicJt1078Port: number | undefined;
  /** Port to which files of alarms are uploaded; 0 lets the system choose. */
  readonly attachmentPort?: number | undefined;
  /** Ids of vendors' own messages that are answered with success. */
  readonly acknowledgedIds?: readonly number[] | undefined;
}

/** Messages that some terminals send every two minutes instead of the standard's heartbeat. */
const PRIVATE_HEARTBEATS = [0x0506];

export interface DeviceGatewayDeps {
  /** The devices that are connected; made before the gateway, because the listeners for positions read it too. */
  readonly registry: DeviceRegistry;
  readonly stores: SignInStores & { readonly devices: PositionBufferDeps['devices'] } & {
    readonly positions: PositionBufferDeps['store'];
  };
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly random: () => number;
  readonly onFault: (error: Error) => void;
  readonly onLimit?: OnLimit | undefined;
  /** The limits of each media port. */
  readonly mediaLimits?: ConnectionLimits | undefined;
  readonly onMediaLoss?: OnMediaLoss | undefined;
  /** Called for terminals that may not register. */
  readonly onRefused?: ((terminal: RefusedTerminal) => void) | undefined;
  /** The reports of terminals, for all who work with them. */
  readonly feed: ReportFeed;
  /** Keeps a picture; channels are counted from 1. See SignallingDeps. */
  readonly storePicture?: SignallingDeps['storePicture'];
  /** Takes files of alarms. Undefined: no port is opened for them. */
  readonly attachments?: AttachmentSink | undefined;
  readonly owners: DeviceOwners;
  /** Counts what terminals send and are sent. */
  readonly meter?: TrafficMeter | undefined;
  /** Tells which streams and transfers the devices' data plans allow. */
  readonly plans?: PlanGate | undefined;
}

export interface DeviceGateway {
  readonly registry: DeviceRegistry;
  readonly source: LiveSource;
  readonly talk: TalkSource;
  readonly playback: PlaybackSource;
  readonly recordings: RecordingList;
  /** PTZ and two-way audio. */
  readonly control: ControlPort;
  readonly jt808Port: number;
  listeners(): readonly NamedListener[];
  /** Positions that the database does not have yet. */
  readonly positions: Pick<PositionBuffer, 'waitingCount' | 'waitingSinceMs'>;
  /** The address to which a terminal is told to upload files of alarms; undefined: no uploads. */
  readonly attachmentAddress: ((session: Pick<TerminalSession, 'localAddress'>) => MediaAddress) | undefined;
  /** Disconnects the terminal of a device that was deleted or assigned to another terminal, and drops what it reported and sent. */
  forget(deviceId: string): void;
  /** Cuts every terminal and writes the positions that are still in memory. */
  close(): Promise<void>;
}

export async function startDeviceGateway(ports: DevicePorts, deps: DeviceGatewayDeps): Promise<DeviceGateway> {
  const { registry, onFault, onLimit = () => undefined } = deps;
  const { devices } = deps.stores;
  const positions = new PositionBuffer({ ...deps, store: deps.stores.positions, devices });
  const expectations = new MediaExpectations();
  const uses = new SocketUses({ meter: deps.meter ?? NO_TRAFFIC_METER, runAfter: deps.runAfter });
  const mediaListeners = await listenMedia(ports, { ...deps, onLimit, expectations, uses });
  const attachments = await listenAttachments(ports, { ...deps, onLimit, uses }).catch(async (error: unknown) => {
    await Promise.all(mediaListeners.map((listener) => listener.close()));
    throw error;
  });
  const mediaAddress = addressOf(ports, mediaListeners);
  const source = new LiveSource({ ...deps, plans: deps.plans ?? NO_PLANS, expectations, mediaAddress });
  const talk = new TalkSource({ ...deps, expectations, mediaAddress });
  const playback = new PlaybackSource({ ...deps, expectations, mediaAddress });
  const listening = { host: ports.host, port: ports.jt808Port, limits: SIGNALLING_LIMITS, onLimit, onFault };
  const authenticator = createTerminalAuthenticator({ ...deps, onLimit });
  const common = {
    ...deps,
    ...presenceOf(deps),
    onLimit,
    uses,
    authenticator,
    acknowledgedIds: new Set(ports.acknowledgedIds ?? PRIVATE_HEARTBEATS),
    waiting: new WaitingBytes(onLimit),
    packageBytes: new PackageBytes(),
    pace: new PackagePace(deps.runAfter),
  };
  const { next: nextTurn } = new Turns(setImmediate);
  const reportDeps = { ...deps, positions, nextTurn, onLimit };
  // Shared by all sessions: otherwise each connection and each report of thousands of terminals would make one of its own.
  const sessionDeps: SignallingDeps = {
    ...common,
    storePicture: pictureStoreOf(deps),
    onReport: (session, body) => handleReport(session, body, reportDeps),
  };
  const signalling = await listenTcp(listening, (socket, proved) => {
    new SignallingSession(socket, sessionDeps, proved);
  }).catch(async (error: unknown) => {
    await Promise.all([...mediaListeners, ...attachments].map((listener) => listener.close()));
    throw error;
  });
  const recordings = new RecordingList({ registry, now: deps.now, onLimit: deps.onLimit });
  return {
    registry,
    source,
    talk,
    playback,
    recordings,
    control: createControlPort({ registry, talk }),
    jt808Port: signalling.port,
    listeners: () => namedListeners({ signalling, media: mediaListeners, attachments }),
    positions,
    attachmentAddress: attachmentAddressOf(ports, attachments),
    forget: (deviceId) => {
      registry.forget(deviceId);
      source.forget(deviceId);
      recordings.forget(deviceId);
    },
    close: async () => {
      source.close();
      talk.close();
      playback.close();
      await Promise.all([signalling, ...attachments, ...mediaListeners].map((listener) => listener.close()));
      uses.close();
      await authenticator.close();
      await positions.close();
    },
  };
}

function pictureStoreOf({ storePicture }: Pick<DeviceGatewayDeps, 'storePicture'>): SignallingDeps['storePicture'] {
  if (storePicture === undefined) return undefined;
  return (session, upload) => storePicture(session, { ...upload, channel: channelOfWire(session, upload.channel) });
}

/** The attachment port, or none. */
async function listenAttachments(
  { host, attachmentPort: port }: DevicePorts,
  {
    attachments: sink,
    registry,
    ...deps
  }: DeviceGatewayDeps & Pick<TcpOptions, 'onLimit'> & { readonly uses: SocketUses },
): Promise<TcpListener[]> {
  if (sink === undefined || port === undefined) return [];
  const sessionOf = (deviceId: string): TerminalSession | undefined => registry.session(deviceId);
  return [await listenForAttachments({ ...deps, host, port, sink, sessionOf })];
}

function attachmentAddressOf({ publicHost }: DevicePorts, [listener]: readonly TcpListener[]) {
  if (listener === undefined) return undefined;
  return ({ localAddress }: Pick<TerminalSession, 'localAddress'>): MediaAddress => ({
    host: publicHost ?? localAddress,
    port: listener.port,
  });
}

/** Notes when terminals connect, send messages and disconnect. */
function presenceOf({ registry, feed, now, onFault }: DeviceGatewayDeps) {
  const tell = (session: TerminalSession, isOnline: boolean): void =>
    feed.tell({ kind: 'presence', device: deviceOf(session), isOnline, atMs: now() });
  return {
    onMessage: (session: TerminalSession): void => registry.noteMessage(session.deviceId),
    onSignedIn: (session: TerminalSession): void => {
      registry.enter(session);
      tell(session, true);
      registry.noteMessage(session.deviceId);
      const learned = learnTerminal(session, (facts) => noteFacts(session, facts, { registry, feed, now }));
      inBackground('a terminal could not be asked what it is', learned, onFault);
    },
    /** The device stays online if another session has replaced this one. */
    onEnded: (session: TerminalSession): void => {
      const wasPresent = registry.session(session.deviceId) === session;
      registry.leave(session);
      if (wasPresent) tell(session, false);
    },
  };
}

type MediaDeps = ConstructorParameters<typeof MediaSession>[2];

function listenMedia(
  { host, jt1078Port }: DevicePorts,
  deps: MediaDeps & Pick<TcpOptions, 'onLimit' | 'onFault'> & Pick<DeviceGatewayDeps, 'mediaLimits'>,
): Promise<TcpListener[]> {
  const { onLimit, onFault, mediaLimits: limits = MEDIA_LIMITS } = deps;
  const listeners = Object.values(MediaPort).map((mediaPort) => {
    const port = jt1078Port === 0 ? 0 : jt1078Port + mediaPort;
    return listenTcp({ host, port, limits, onLimit, onFault }, (socket, proved) => {
      new MediaSession(socket, mediaPort, { ...deps, onExpected: proved });
    });
  });
  return allListening(listeners);
}

function addressOf(ports: DevicePorts, listeners: readonly TcpListener[]) {
  return (mediaPort: MediaPort, session: TerminalSession): MediaAddress => ({
    host: ports.publicHost ?? session.localAddress,
    port: ports.publicJt1078Port === undefined ? (listeners[mediaPort]?.port ?? 0) : ports.publicJt1078Port + mediaPort,
  });
}
