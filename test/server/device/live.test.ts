// A simulated terminal over real sockets, through sign-in and media to the hub.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DeviceGateway, startDeviceGateway } from '../../../server/device/deviceGateway.ts';
import { DeviceRegistry } from '../../../server/device/registry.ts';
import { ReportFeed } from '../../../server/device/reportFeed.ts';
import { Hub, type Viewer } from '../../../server/media/hub.ts';
import type { HubPacket } from '../../../server/media/hubPacket.ts';
import { createStores, type Stores } from '../../../server/store/stores.ts';
import { PacketKind, readPacket, type StreamPacket } from '../../../shared/protocol/stream/streamPacket.ts';
import { loadClip } from '../../../simulator/clip/loadClip.ts';
import { SimulatedTerminal } from '../../../simulator/terminal.ts';
import type { VehicleProfile } from '../../../simulator/vehicleProfile.ts';
import { ONE_OWNER } from '../../support/fakes/deviceOwners.ts';
import { waitFor } from '../../support/waitFor.ts';
import { openTestDatabase, type TestDatabase } from '../store/testDatabase.ts';

const CLIP = await loadClip(new URL('../../../simulator/clips/road.h264', import.meta.url));
const PROFILE: VehicleProfile = {
  deviceId: 'BUS1',
  name: 'Bus 1',
  number: '13800000001',
  edition: '2019',
  plate: 'A-0001',
  channels: 2,
  lapShare: 0,
};
const KEY = { deviceId: 'BUS1', channel: 1, quality: 'main' } as const;

const runAfter = (delayMs: number, run: () => void): (() => void) => {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
};

class Recorder implements Viewer {
  readonly packets: StreamPacket[] = [];

  deliver(packet: HubPacket): void {
    const read = readPacket(packet.bytes);
    if (read.kind === 'packet') this.packets.push(read.packet);
  }

  video(): StreamPacket[] {
    return this.packets.filter(({ kind }) => kind === PacketKind.Video);
  }
}

describe('a terminal on the gateway', () => {
  let database: TestDatabase;
  let stores: Stores;
  let gateway: DeviceGateway;
  let hub: Hub;
  let faults: Error[];
  const terminals: SimulatedTerminal[] = [];

  beforeEach(async () => {
    database = await openTestDatabase('sqlite');
    stores = createStores(database.db);
    faults = [];
    const ports = {
      host: '127.0.0.1',
      jt808Port: 0,
      jt1078Port: 0,
      publicHost: undefined,
      publicJt1078Port: undefined,
    };
    gateway = await startDeviceGateway(ports, {
      owners: ONE_OWNER,
      stores,
      registry: new DeviceRegistry(Date.now),
      feed: new ReportFeed((error) => faults.push(error)),
      now: Date.now,
      runAfter,
      random: Math.random,
      onFault: (error) => faults.push(error),
    });
    hub = new Hub({ source: gateway.source, runAfter });
  });

  afterEach(async () => {
    for (const terminal of terminals.splice(0)) terminal.stop();
    hub.close();
    await gateway.close();
    await database.close();
    expect(faults).toEqual([]);
  });

  const addDevice = () =>
    stores.devices.insert({
      deviceId: PROFILE.deviceId,
      name: PROFILE.name,
      chn: PROFILE.channels,
      terminal: { canonical: PROFILE.number, raw: PROFILE.number.padStart(20, '0') },
    });

  const startTerminal = (profile: VehicleProfile = PROFILE): SimulatedTerminal => {
    const terminal = new SimulatedTerminal({
      profile,
      gateway: { host: '127.0.0.1', port: gateway.jt808Port },
      clip: CLIP,
    });
    terminals.push(terminal);
    terminal.start();
    return terminal;
  };

  const online = () => waitFor('the terminal is online', () => gateway.registry.session(PROFILE.deviceId));

  it.each(['2013', '2019'] as const)('signs in with the header of %s and sends what is asked for', async (edition) => {
    await addDevice();
    startTerminal({ ...PROFILE, edition });
    const viewer = new Recorder();
    const askedAtMs = Date.now();
    hub.watch(KEY, viewer);
    await waitFor(
      'five seconds of frames in the loop',
      () => viewer.video().length,
      (count) => count >= 60,
    );

    const [first, ...rest] = viewer.video();
    expect(first?.key).toBe(true);
    expect(first?.deviceTimeMs).toBeGreaterThan(askedAtMs - 10_000);
    expect(first?.deviceTimeMs).toBeLessThanOrEqual(Date.now());
    const steps = rest.map((packet, index) => packet.mediaTimeUs - (viewer.video()[index]?.mediaTimeUs ?? 0));
    expect(new Set(steps)).toEqual(new Set([40_000]));
    const sound = viewer.packets.filter(({ kind }) => kind === PacketKind.Audio);
    expect(sound.length).toBeGreaterThan(50);
    expect(sound[0]?.payload).toHaveLength(320);
  });

  it('takes the picture away with the terminal and brings it back with it', async () => {
    await addDevice();
    const terminal = startTerminal();
    const viewer = new Recorder();
    hub.watch(KEY, viewer);
    await waitFor('frames', () => viewer.video().length > 0);
    terminal.stop();
    await waitFor('the terminal is offline', () => gateway.registry.session(PROFILE.deviceId) === undefined);
    const before = viewer.video().length;
    terminal.start();
    // What lay in the socket of before may still come first.
    const next = await waitFor('frames again', () =>
      viewer
        .video()
        .slice(before)
        .find(({ discontinuity }) => discontinuity),
    );
    expect(next).toMatchObject({ key: true });
  });

  it('keeps the identity of the first registration and refuses another one', async () => {
    await addDevice();
    const first = startTerminal();
    await online();
    expect((await stores.devices.findByDeviceId('BUS1'))?.identity).toEqual({
      manufacturer: 'FLGLS',
      terminalId: '0000001',
    });
    first.stop();
    await stores.devices.update('BUS1', { identity: { manufacturer: 'OTHER', terminalId: '7' } });
    startTerminal();
    const noted = await waitFor('the stranger is noted', async () => (await stores.unknownTerminals.list())[0]);
    expect(noted).toMatchObject({ deviceId: 'BUS1', manufacturer: 'FLGLS', address: '127.0.0.1' });
    expect(gateway.registry.session('BUS1')).toBeUndefined();
  });

  it('refuses a terminal that it does not know, and notes it', async () => {
    startTerminal();
    const noted = await waitFor('the stranger is noted', async () => (await stores.unknownTerminals.list())[0]);
    expect(noted).toMatchObject({ terminal: { canonical: PROFILE.number }, plate: 'A-0001' });
    expect(noted?.deviceId).toBeUndefined();
  });

  it('stores where the vehicle is, and loses nothing of it in an orderly stop', async () => {
    await addDevice();
    startTerminal();
    await online();
    await waitFor('the first report is held', () => true);
    await new Promise((resolve) => setImmediate(resolve));
    const position = await waitFor('a position', () => stores.positions.latest('BUS1'));
    expect(position?.latitude).toBeCloseTo(23.86, 1);
    expect(position?.longitude).toBeCloseTo(120.9, 0);
  });
});
