// Remote playback against a simulated terminal over TCP: the device side, the sessions, and a page that takes packets.
import { hashSecret } from '../../../../server/auth/secrets.ts';
import type { MessageBody } from '../../../../server/device/jt808/codec/message.ts';
import type { TrafficMeter } from '../../../../server/device/usage/trafficMeter.ts';
import type { HubPacket } from '../../../../server/media/hubPacket.ts';
import {
  RemotePlayback,
  type RemotePlayRequest,
  type RemotePlayResult,
} from '../../../../server/stream/remote/remotePlayback.ts';
import type { RemoteEnd, RemoteSession, RemoteViewer } from '../../../../server/stream/remote/remoteSession.ts';
import { parseStreamEvent, type StreamEvent } from '../../../../shared/protocol/stream/streamMessages.ts';
import { PacketKind, readPacket, type StreamPacket } from '../../../../shared/protocol/stream/streamPacket.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import type { StorageQuirks } from '../../../../simulator/quirks.ts';
import type { SimulatedTerminal } from '../../../../simulator/terminal.ts';
import type { VehicleProfile } from '../../../../simulator/vehicleProfile.ts';
import { noFaults } from '../../../support/fakes/noFaults.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { PROFILE, startTestGateway, type TestGateway } from '../../device/testGateway.ts';

export const MINUTE_MS = 60_000;
/** A whole hour that lies an hour or two back: what is recorded of it does not depend on when the test runs. */
export const HOUR = wallMs((Math.floor(Date.now() / (60 * MINUTE_MS)) - 2) * 60 * MINUTE_MS);

export interface RemoteScene extends TestGateway {
  readonly playback: RemotePlayback;
  readonly terminal: SimulatedTerminal;
  /** What the terminal was told, by kind; for playback control its command. */
  readonly told: string[];
  play(request?: Partial<RemotePlayRequest>): Promise<RemotePlayResult>;
  watch(request?: Partial<RemotePlayRequest>): Watching;
}

export interface SceneOptions {
  readonly card?: StorageQuirks;
  readonly quirks?: VehicleProfile['quirks'];
  readonly profile?: Partial<VehicleProfile>;
  /** How many times as fast the gateway's patience passes. */
  readonly haste?: number;
  readonly meter?: TrafficMeter;
}

const ASKED: RemotePlayRequest = {
  credential: 'annas link',
  session: undefined,
  deviceId: PROFILE.deviceId,
  streamId: 4711,
  channel: 1,
  quality: 'any',
  start: HOUR,
  durationMs: MINUTE_MS,
};

export async function startRemoteScene({
  card,
  quirks,
  profile,
  haste = 1,
  meter,
}: SceneOptions = {}): Promise<RemoteScene> {
  const patience = (delayMs: number, run: () => void): (() => void) => runAfter(delayMs / haste, run);
  const gateway = await startTestGateway(patience, { meter });
  await gateway.addDevice();
  const told: string[] = [];
  const terminal = gateway.start(
    { ...profile, quirks: { ...quirks, ...(card !== undefined && { card }) } },
    { onMessage: (body) => note(told, body) },
  );
  await gateway.online();
  const playback = new RemotePlayback({
    source: gateway.gateway.playback,
    now: Date.now,
    // Pictures keep their pace.
    runAfter: (delayMs, run) => (delayMs > 500 ? patience : runAfter)(delayMs, run),
    hashOf: hashSecret,
    onFault: noFaults,
  });
  return {
    ...gateway,
    playback,
    terminal,
    told,
    play: (request) => playback.play({ ...ASKED, ...request }),
    watch: (request) => new Watching(playback, { ...ASKED, ...request }),
    close: async () => {
      playback.close();
      await gateway.close();
    },
  };
}

function note(told: string[], body: MessageBody): void {
  if (body.kind === 'playbackControl') told.push(`control ${body.command} ${body.speed}`);
  if (body.kind === 'queryResources' || body.kind === 'playbackRequest') told.push(body.kind);
}

/** A page on a session, with what it was sent. */
export class Watching {
  readonly packets: StreamPacket[] = [];
  /** When each packet of `packets` came. */
  readonly cameAtMs: number[] = [];
  readonly ends: RemoteEnd[] = [];
  isBlocked = false;
  readonly #leave: () => void;
  readonly #session: RemoteSession | undefined;

  constructor(playback: RemotePlayback, request: RemotePlayRequest) {
    const viewer: RemoteViewer = {
      wantsAudio: true,
      send: (packet) => this.#take(packet),
      isBlocked: () => this.isBlocked,
      over: (end) => this.ends.push(end),
    };
    const attachment = playback.attach(request, viewer);
    this.#session = attachment.kind === 'attached' ? attachment.session : undefined;
    this.#leave = attachment.kind === 'attached' ? attachment.leave : () => undefined;
    if (attachment.kind === 'over') this.ends.push(attachment.end);
  }

  say(message: Parameters<RemoteSession['handle']>[0]): void {
    this.#session?.handle(message);
  }

  leave(): void {
    this.#leave();
  }

  video(): StreamPacket[] {
    return this.packets.filter(({ kind }) => kind === PacketKind.Video);
  }

  sound(): StreamPacket[] {
    return this.packets.filter(({ kind }) => kind === PacketKind.Audio);
  }

  /** When the newest picture was recorded. */
  get position(): number {
    return this.video().at(-1)?.deviceTimeMs ?? 0;
  }

  clock(): (StreamEvent & { readonly type: 'clock' }) | undefined {
    const events = this.packets
      .filter(({ kind }) => kind === PacketKind.Event)
      .map(({ payload }) => parseStreamEvent(payload));
    return events.filter((event) => event?.type === 'clock').at(-1);
  }

  pictures(count: number): Promise<unknown> {
    const before = this.video().length;
    return waitFor(
      `${count} pictures`,
      () => this.video().length - before,
      (came) => came >= count,
    );
  }

  #take(packet: HubPacket): void {
    const read = readPacket(packet.bytes);
    if (read.kind !== 'packet') throw new Error('no packet');
    this.packets.push({ ...read.packet, payload: read.packet.payload.slice() });
    this.cameAtMs.push(Date.now());
  }
}

function runAfter(delayMs: number, run: () => void): () => void {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
}
