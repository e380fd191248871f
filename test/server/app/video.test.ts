// A person acts on a vehicle: the whole gateway, its database and a terminal over TCP.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type Gateway, startGateway } from '../../../server/app/gateway.ts';
import { createSecret, hashSecret } from '../../../server/auth/secrets.ts';
import { readConfig } from '../../../server/config/readConfig.ts';
import type { MessageBody } from '../../../server/device/jt808/codec/message.ts';
import { createLog } from '../../../server/process/log.ts';
import { A_LAW } from '../../../shared/protocol/codec/sound/g711.ts';
import { ControlPath, type PtzMessage, parseControlEvent } from '../../../shared/protocol/stream/controlMessages.ts';
import { parseStreamEvent } from '../../../shared/protocol/stream/streamMessages.ts';
import { PacketKind, readMessage, type StreamPacket } from '../../../shared/protocol/stream/streamPacket.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { SimulatedTerminal } from '../../../simulator/terminal.ts';
import type { VehicleProfile } from '../../../simulator/vehicleProfile.ts';
import { prepareDataDir } from '../../support/databases/sqliteFile.ts';
import { FREE_PORTS } from '../../support/gateway/freePorts.ts';
import { within } from '../../support/runner/processorTime.ts';
import { createTempFolder, type TempFolder } from '../../support/tempFolder.ts';
import { waitFor } from '../../support/waitFor.ts';

const BUS: VehicleProfile = {
  deviceId: 'BUS1',
  name: 'Bus 1',
  number: '13800000001',
  edition: '2013',
  plate: 'A-0001',
  channels: 2,
  lapShare: 0,
  ptzChannels: [1],
};

describe('a person who acts on a vehicle', () => {
  let folder: TempFolder;
  let gateway: Gateway;
  let terminal: SimulatedTerminal;
  let heard: MessageBody[];
  let speech: Uint8Array[];
  let linkId: number;
  let credential: string;
  const clients: WebSocket[] = [];

  beforeEach(async () => {
    [heard, speech] = [[], []];
    folder = await createTempFolder();
    const read = readConfig({ ...FREE_PORTS, DATA_DIR: folder.path });
    if (!read.ok) throw new Error(read.problems.join('\n'));
    await prepareDataDir(folder.path);
    gateway = await startGateway(read.config, { log: createLog('silent') });
    credential = await addBus(['control']);
    terminal = new SimulatedTerminal({
      profile: BUS,
      gateway: { host: '127.0.0.1', port: gateway.jt808Port },
      onMessage: (body) => heard.push(body),
      onSpeech: ({ body }) => speech.push(body),
    });
  });

  afterEach(async () => {
    for (const client of clients.splice(0)) client.terminate();
    terminal.stop();
    await gateway.close();
    await folder.remove();
  });

  async function addBus(kinds: readonly ('live' | 'control')[]): Promise<string> {
    const { stores } = gateway;
    const now = wallMs(Date.now());
    const deviceGroup = await stores.deviceGroups.insert('Group');
    const memberGroup = await stores.memberGroups.insert({ name: 'Members' });
    await stores.memberGroups.setDeviceGroups(memberGroup, [deviceGroup]);
    const ownerId = await stores.users.insert({ username: 'ann', passwordHash: '-', permissions: ['talk'] }, now);
    await stores.memberGroups.setGroupsOfUser(ownerId, [memberGroup]);
    const number = { canonical: BUS.number, raw: BUS.number.padStart(12, '0') };
    const device = { deviceId: 'BUS1', name: 'Bus 1', chn: 2, ptzchs: '10', talkchs: '10', deviceGroup };
    await stores.devices.insert({ ...device, terminal: number });
    const secret = createSecret();
    const link = { ownerId, deviceId: 'BUS1', channelMask: 3, kinds, secretHash: hashSecret(secret) };
    linkId = await stores.linkCredentials.insert(link, now);
    return secret;
  }

  const signIn = async (): Promise<void> => {
    terminal.start();
    await waitFor('the terminal is asked what it is', () => heard.some(({ kind }) => kind === 'queryAttributes'));
  };

  const connect = (path: string, fields: Record<string, string> = {}) => {
    const query = new URLSearchParams({ username: 'ann', credential, deviceid: 'BUS1', channel: '1', ...fields });
    const socket = new WebSocket(`${gateway.address.replace('http', 'ws')}${path}?${query}`);
    socket.binaryType = 'arraybuffer';
    clients.push(socket);
    const packets: StreamPacket[] = [];
    socket.on('message', (data: ArrayBuffer) => packets.push(...readMessage(new Uint8Array(data)).packets));
    const events = (): string[] =>
      packets
        .filter(({ kind }) => kind === PacketKind.Event)
        .map(({ payload }) => parseControlEvent(payload) ?? parseStreamEvent(payload))
        .map((event) => (event === undefined ? '' : 'code' in event ? `${event.type} ${event.code}` : event.type));
    return { socket, packets, events, say: (message: PtzMessage) => socket.send(JSON.stringify(message)) };
  };

  const turns = (): MessageBody[] => heard.filter(({ kind }) => kind.startsWith('ptz'));
  const trail = async () => (await gateway.stores.audit.list({ limit: 10 })).map(({ action }) => action).reverse();

  it('moves its camera, which stops when the link is revoked', async () => {
    await signIn();
    const { events, say } = connect(ControlPath.Ptz);
    await waitFor('the camera is held', () => events().includes('held'));
    say({ type: 'move', direction: 'left', speed: 40 });
    await waitFor('the camera turns', () => turns().length === 1);
    await gateway.stores.linkCredentials.revoke(linkId, wallMs(Date.now()));
    await waitFor('the camera stops', () => turns().length === 2);
    expect(turns()).toEqual([
      { kind: 'ptzRotate', channel: 1, direction: 3, speed: 40 },
      { kind: 'ptzRotate', channel: 1, direction: 0, speed: 0 },
    ]);
    await waitFor('the page is told', () => events().includes('error link-refused'));
    await waitFor('the end is noted', async () => (await trail()).length === 2);
    expect(await trail()).toEqual(['ptz.begin', 'ptz.end']);
  });

  it('is told that the vehicle is away, and moves its camera once it is back', async () => {
    const { events, say } = connect(ControlPath.Ptz);
    await waitFor('the camera is held', () => events().includes('held'));
    say({ type: 'zoom', direction: 'in' });
    await waitFor('the vehicle is away', () => events().includes('failed offline'));
    await signIn();
    say({ type: 'zoom', direction: 'in' });
    await waitFor('the camera zooms', () => turns().length === 1);
  });

  it('talks and listens', async () => {
    await signIn();
    const { socket, packets, events } = connect(ControlPath.Talk);
    await waitFor('the line is open', () => events().includes('opened'));
    const tone = Int16Array.from({ length: 800 }, (_, at) => Math.round(8_000 * Math.sin(at / 4)));
    socket.send(tone);
    await waitFor('two frames of speech', () => speech.length === 2);
    const heardSamples = speech.flatMap((body) => Array.from(body, (code) => A_LAW[code] ?? 0));
    const errors = heardSamples.map((sample, at) => Math.abs(sample - (tone[at] ?? 0)));
    expect(Math.max(...errors)).toBeLessThan(300);
    await waitFor('sound of the vehicle', () => packets.some(({ kind }) => kind === PacketKind.Audio));
    socket.close();
    await waitFor('the terminal is told', () => terminal.streams.length === 0);
    await waitFor('the end is noted', async () => (await trail()).length === 2);
    expect(await trail()).toEqual(['talk.begin', 'talk.end']);
  });

  it('is cut off when the permission to talk is taken away, and turns the camera as before', async () => {
    await signIn();
    const [line, camera] = [connect(ControlPath.Talk), connect(ControlPath.Ptz)];
    await waitFor('the line is open', () => line.events().includes('opened'));
    await waitFor('the camera is held', () => camera.events().includes('held'));
    const { ownerId } = await ownerOfLink();
    await gateway.stores.users.setPermissions(ownerId, ['devicetext']);
    await waitFor('the page is told', () => line.events().includes('error forbidden'));
    await waitFor('the terminal is told', () => terminal.streams.length === 0);
    const ended = async () =>
      (await gateway.stores.audit.list({ limit: 10 })).find(({ action }) => action === 'talk.end');
    await waitFor('the end is noted', async () => (await ended()) !== undefined);
    expect((await ended())?.detail).toMatchObject({ channel: 1, reason: 'forbidden' });
    const again = connect(ControlPath.Talk);
    await waitFor('no line begins', () => again.events().length > 0);
    expect(again.events()).toEqual(['error forbidden']);
    camera.say({ type: 'move', direction: 'left', speed: 40 });
    await waitFor('the camera turns', () => turns().length === 1);
    expect(camera.events()).toEqual(['held']);
  });

  it('is one of a hundred viewers, for whom the vehicle is asked once and stopped once', async () => {
    await gateway.stores.linkCredentials.revoke(linkId, wallMs(Date.now()));
    const { ownerId } = await ownerOfLink();
    credential = createSecret();
    const link = { ownerId, deviceId: 'BUS1', channelMask: 3, kinds: ['live'] as const };
    await gateway.stores.linkCredentials.insert({ ...link, secretHash: hashSecret(credential) }, wallMs(Date.now()));
    await signIn();
    const viewers = Array.from({ length: 100 }, () => connect('/stream/liveview/video.fuho', { audio: '1' }));
    const sees = ({ packets }: (typeof viewers)[number]): boolean =>
      packets.filter(({ kind }) => kind === PacketKind.Audio).length >= 25;
    await waitFor('sound for a hundred', () => viewers.every(sees));
    for (const { socket } of viewers) socket.close();
    await within(10_000, async () => {
      await waitFor('the stop', () => heard.some(({ kind }) => kind === 'liveControl'));
      await waitFor('the vehicle has stopped', () => terminal.streams.length === 0);
    });
    expect(heard.filter(({ kind }) => kind.startsWith('live'))).toMatchObject([
      { kind: 'liveRequest', channel: 1, dataType: 0, stream: 0 },
      { kind: 'liveControl', channel: 1, command: 0 },
    ]);
  });

  async function ownerOfLink(): Promise<{ readonly ownerId: number }> {
    const owner = await gateway.stores.users.findByName('ann');
    return { ownerId: owner?.id ?? 0 };
  }

  it.each([
    ['not-fitted', ControlPath.Ptz, { channel: '2' }],
    ['not-fitted', ControlPath.Talk, { channel: '2' }],
    ['link-refused', ControlPath.Talk, { channel: '3' }],
    ['link-refused', ControlPath.Ptz, { credential: 'x' }],
    ['link-refused', '/stream/liveview/video.fuho', {}],
    ['offline', ControlPath.Talk, {}],
  ])('is told %s at %s', async (code, path, fields) => {
    const { events } = connect(path, fields);
    await waitFor('the refusal', () => events().length > 0);
    expect(events()).toEqual([`error ${code}`]);
  });
});
