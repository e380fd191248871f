// The whole gateway with one device, whose terminal is a raw socket.
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Gateway, startGateway } from '../../../../server/app/gateway.ts';
import { createSessions } from '../../../../server/auth/sessions.ts';
import { readConfig } from '../../../../server/config/readConfig.ts';
import { GeneralResult } from '../../../../server/device/jt808/codec/codes.ts';
import type { MessageBody } from '../../../../server/device/jt808/codec/message.ts';
import { builtInRows } from '../../../../server/events/types/builtInRows.ts';
import { createLog } from '../../../../server/process/log.ts';
import type { StoredEventMedia } from '../../../../server/store/events/eventMediaRows.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { openSqliteFile } from '../../../support/databases/sqliteFile.ts';
import { FREE_PORTS } from '../../../support/gateway/freePorts.ts';
import { createTempFolder } from '../../../support/tempFolder.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { RawTerminal } from '../../device/rawTerminal.ts';
import { PROFILE } from '../../device/testGateway.ts';

export interface EvidenceScene {
  readonly gateway: Gateway;
  readonly folder: string;
  /** Signs the device's terminal in. */
  signIn(from?: string): Promise<RawTerminal>;
  /** An alarm of the terminal, and its event once it is stored. */
  alarm(terminal: RawTerminal): Promise<{ readonly eventId: number; readonly archiveNumber: number }>;
  /** Pictures and files; recordings have a test of their own. */
  media(eventId: number): Promise<StoredEventMedia[]>;
  /** Adds a member with these permissions, who sees the device or not; gives what fetches as the member. */
  member(name: string, permissions: readonly string[], seesDevice: boolean): Promise<Fetch>;
  /** Likewise; gives what a browser of the member sends with each request. */
  session(name: string, permissions: readonly string[], seesDevice: boolean): Promise<SessionHeaders>;
  /** Another start on the same folder. */
  restart(): Promise<void>;
}

export interface SessionHeaders extends Readonly<Record<string, string>> {
  readonly cookie: string;
  readonly origin: string;
}

export type Fetch = (path: string, init?: RequestInit) => Promise<Response>;

/** `snapshotChannels`: of the emergency button. */
export async function startEvidenceScene(snapshotChannels: readonly number[] = []): Promise<EvidenceScene> {
  const folder = await createTempFolder();
  const database = await openSqliteFile(join(folder.path, 'fleetglass.db'));
  const stores = createStores(database.db);
  const terminal = { canonical: PROFILE.number, raw: PROFILE.number.padStart(20, '0') };
  const group = await stores.deviceGroups.insert('Buses');
  const device = { deviceId: PROFILE.deviceId, name: PROFILE.name, chn: 2, terminal, deviceGroup: group };
  const { archiveNumber } = await stores.devices.insert(device);
  const emergency = builtInRows().filter(({ code }) => code === 'emergency');
  await stores.eventTypes.addMissing(emergency.map((type) => ({ ...type, snapshotChannels })));
  await database.close();
  const start = async (): Promise<Gateway> => {
    const read = readConfig({ ...FREE_PORTS, LOG_LEVEL: 'silent', DATA_DIR: folder.path });
    if (!read.ok) throw new Error(read.problems.join('\n'));
    return startGateway(read.config, { log: createLog('silent') });
  };
  let gateway = await start();
  let code: string | undefined;
  onTestFinished(async () => {
    await gateway.close();
    await folder.remove();
  });
  const session: EvidenceScene['session'] = async (name, permissions, seesDevice) => {
    const now = wallMs(Date.now());
    const { stores: open, address } = gateway;
    const memberGroup = await open.memberGroups.insert({ name: `Group of ${name}` });
    if (seesDevice) await open.memberGroups.setDeviceGroups(memberGroup, [group]);
    const id = await open.users.insert({ username: name, passwordHash: '-', permissions }, now);
    await open.memberGroups.setGroupsOfUser(id, [memberGroup]);
    const user = await open.users.findByName(name);
    if (user === undefined) throw new Error('no user');
    const sessions = createSessions({ ...open, now: () => wallMs(Date.now()), onLimit: () => undefined });
    const begun = await sessions.begin(user, { address: '127.0.0.1', userAgent: 'test' }, false);
    return { cookie: `fleetglass_sid=${begun.id}`, origin: address };
  };
  return {
    get gateway() {
      return gateway;
    },
    folder: folder.path,
    signIn: async (from) => {
      const raw = await RawTerminal.dial({ port: gateway.jt808Port, ...(from === undefined ? {} : { from }) });
      refuseQuestions(raw);
      if (code === undefined) code = await raw.signIn();
      else if (!(await raw.authenticate(code))) throw new Error('the code was refused');
      return raw;
    },
    alarm: async (raw) => {
      raw.say(EMERGENCY());
      const event = await waitFor('the event is stored', async () =>
        (await gateway.stores.eventLog.tracked(0)).find(({ type }) => type === 'emergency'),
      );
      return { eventId: event?.id ?? 0, archiveNumber };
    },
    media: (eventId) => filesOf(gateway.stores, eventId),
    member: async (...who) => {
      const headers = await session(...who);
      return (path, init = {}) =>
        fetch(`${headers.origin}${path}`, { ...init, headers: { ...headers, ...init.headers } });
    },
    session,
    restart: async () => {
      await gateway.close();
      gateway = await start();
    },
  };
}

const QUESTIONS: readonly MessageBody['kind'][] = [
  'queryAvAttributes',
  'queryAttributes',
  'querySomeParameters',
  'queryParameters',
];

/** What a sign-in asks, one after another: each that isn't answered would delay what a test is about by ten seconds. */
export function refuseQuestions(terminal: RawTerminal): void {
  let answered = 0;
  terminal.socket.on('data', () => {
    for (const message of terminal.messages.slice(answered)) {
      if (QUESTIONS.includes(message.body.kind)) terminal.reply(message, GeneralResult.NotSupported);
    }
    answered = terminal.messages.length;
  });
}

async function filesOf({ eventMedia }: Stores, eventId: number): Promise<StoredEventMedia[]> {
  return (await eventMedia.ofEvent(eventId)).filter(({ kind }) => kind !== 'clip');
}

export const PLACE = {
  alarm: 0,
  status: 3,
  latitude: 25.034,
  longitude: 121.565,
  altitudeMeters: 10,
  speedKmh: 50,
  direction: 90,
};

const EMERGENCY = (): MessageBody => ({
  kind: 'position',
  ...PLACE,
  alarm: 1,
  time: wallMs(Date.now()),
  items: [],
  tail: new Uint8Array(),
});

/** What the terminal has heard of one kind. */
export function heard<Kind extends MessageBody['kind']>(
  terminal: RawTerminal,
  kind: Kind,
): Extract<MessageBody, { kind: Kind }>[] {
  return terminal.heard.filter((body): body is Extract<MessageBody, { kind: Kind }> => body.kind === kind);
}
