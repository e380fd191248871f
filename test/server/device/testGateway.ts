// A device gateway on free ports with a hub behind it, and simulated terminals in front.
import type { AttachmentSink } from '../../../server/device/attachments/attachmentSink.ts';
import type { ConnectionLimits } from '../../../server/device/connectionCaps.ts';
import { type DeviceGateway, startDeviceGateway } from '../../../server/device/deviceGateway.ts';
import { DeviceRegistry } from '../../../server/device/registry.ts';
import { ReportFeed } from '../../../server/device/reportFeed.ts';
import type { PlanGate } from '../../../server/device/usage/planGate.ts';
import type { TrafficMeter } from '../../../server/device/usage/trafficMeter.ts';
import { Hub, type Viewer } from '../../../server/media/hub.ts';
import type { HubPacket } from '../../../server/media/hubPacket.ts';
import { MediaLoss } from '../../../server/media/mediaLoss.ts';
import type { NewDevice } from '../../../server/store/devices/devices.ts';
import { createStores, type Stores } from '../../../server/store/stores.ts';
import { parseStreamEvent, type StreamEvent } from '../../../shared/protocol/stream/streamMessages.ts';
import { PacketKind, readPacket, type StreamPacket } from '../../../shared/protocol/stream/streamPacket.ts';
import { type Clip, loadDemoClips } from '../../../simulator/clip/loadClip.ts';
import { SimulatedTerminal, type TerminalOptions } from '../../../simulator/terminal.ts';
import type { VehicleProfile } from '../../../simulator/vehicleProfile.ts';
import { ONE_OWNER } from '../../support/fakes/deviceOwners.ts';
import { waitFor } from '../../support/waitFor.ts';
import { openTestDatabase } from '../store/testDatabase.ts';

export const PROFILE: VehicleProfile = {
  deviceId: 'BUS1',
  name: 'Bus 1',
  number: '13800000001',
  edition: '2019',
  plate: 'A-0001',
  channels: 2,
  lapShare: 0,
};

export const KEY = { deviceId: 'BUS1', channel: 1, quality: 'main' } as const;

const CLIPS = await loadDemoClips();

export interface TestGateway {
  readonly stores: Stores;
  readonly gateway: DeviceGateway;
  /** What its terminals report. */
  readonly feed: ReportFeed;
  readonly hub: Hub;
  readonly mediaLoss: MediaLoss;
  readonly faults: Error[];
  addDevice(chn?: number, change?: Partial<NewDevice>): Promise<void>;
  start(profile?: Partial<VehicleProfile>, options?: Partial<TerminalOptions>): SimulatedTerminal;
  online(): Promise<unknown>;
  close(): Promise<void>;
}

export type ClipName = keyof typeof CLIPS;
export const clipNamed = (name: ClipName): Clip => CLIPS[name];

interface TestGatewayOptions {
  /** Gives the gateway other stores than the test has. */
  readonly slowed?: (stores: Stores) => Stores;
  readonly now?: () => number;
  readonly mediaLimits?: ConnectionLimits | undefined;
  readonly meter?: TrafficMeter | undefined;
  readonly plans?: PlanGate | undefined;
  /** With a port for them. */
  readonly attachments?: AttachmentSink | undefined;
}

/** `timers`: for what would take too long otherwise. */
export async function startTestGateway(
  timers: typeof runAfter = runAfter,
  { slowed = (stores) => stores, now = Date.now, ...parts }: TestGatewayOptions = {},
): Promise<TestGateway> {
  const database = await openTestDatabase('sqlite');
  const stores = createStores(database.db);
  const faults: Error[] = [];
  const mediaLoss = new MediaLoss();
  const terminals: SimulatedTerminal[] = [];
  const publicPorts = { publicHost: undefined, publicJt1078Port: undefined };
  const ports = { host: '127.0.0.1', jt808Port: 0, jt1078Port: 0, attachmentPort: 0, ...publicPorts };
  const feed = new ReportFeed((error) => faults.push(error));
  const gateway = await startDeviceGateway(ports, {
    owners: ONE_OWNER,
    stores: slowed(stores),
    registry: new DeviceRegistry(now),
    feed,
    now,
    runAfter: timers,
    random: Math.random,
    onFault: (error) => faults.push(error),
    onMediaLoss: mediaLoss.note,
    ...parts,
  });
  const hub = new Hub({ source: gateway.source, runAfter });
  return {
    stores,
    gateway,
    feed,
    hub,
    mediaLoss,
    faults,
    addDevice: async (chn = PROFILE.channels, change = {}) => {
      const terminal = { canonical: PROFILE.number, raw: PROFILE.number.padStart(20, '0') };
      await stores.devices.insert({ deviceId: PROFILE.deviceId, name: PROFILE.name, chn, terminal, ...change });
    },
    start: (profile = {}, options = {}) => {
      const terminal = new SimulatedTerminal({
        profile: { ...PROFILE, ...profile },
        gateway: { host: '127.0.0.1', port: gateway.jt808Port },
        clip: CLIPS.road,
        ...options,
      });
      terminals.push(terminal);
      terminal.start();
      return terminal;
    },
    online: () => waitFor('the terminal is online', () => gateway.registry.session(PROFILE.deviceId)),
    close: async () => {
      for (const terminal of terminals) terminal.stop();
      hub.close();
      await gateway.close();
      await database.close();
    },
  };
}

export class Recorder implements Viewer {
  readonly packets: StreamPacket[] = [];
  readonly #deliveredMs = new Map<StreamPacket, number>();

  deliver(packet: HubPacket): void {
    const read = readPacket(packet.bytes);
    if (read.kind !== 'packet') return;
    this.packets.push(read.packet);
    this.#deliveredMs.set(read.packet, performance.now());
  }

  /** In the turn in which the gateway read it from its socket. */
  deliveredMs(packet: StreamPacket): number {
    return this.#deliveredMs.get(packet) ?? Number.NaN;
  }

  video(): StreamPacket[] {
    return this.packets.filter(({ kind }) => kind === PacketKind.Video);
  }

  sound(): StreamPacket[] {
    return this.packets.filter(({ kind }) => kind === PacketKind.Audio);
  }

  events(): (StreamEvent | undefined)[] {
    return this.packets.filter(({ kind }) => kind === PacketKind.Event).map(({ payload }) => parseStreamEvent(payload));
  }
}

function runAfter(delayMs: number, run: () => void): () => void {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
}
