// The built gateway with two fleets that must not see one another. A vehicle sends what it drove in the last hours.
import type { APIResponse, Page } from 'playwright-core';
import type { Stores } from '../../../../server/store/stores.ts';
import { TRACK_SUMMARY_PATH, type TrackSummary } from '../../../../shared/protocol/api/tracks/track.ts';
import { ALL_PERMISSIONS } from '../../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import type { VehicleProfile } from '../../../../simulator/vehicleProfile.ts';
import { RawTerminal } from '../../../server/device/rawTerminal.ts';
import { sharedChromium } from '../../../support/browser/chromium.ts';
import { cheapHash } from '../../../support/fakes/cheapHash.ts';
import { newPage, type PageOptions, type People, peopleAt } from '../../../support/gateway/people.ts';
import { type Product, startProduct } from '../../../support/gateway/product.ts';
import { PASSWORD, signIn } from '../../../support/gateway/site.ts';
import { bulksOf, type Leg, positionsOf } from '../../../support/tracks/drive.ts';
import { waitFor } from '../../../support/waitFor.ts';

export const GPS_PLAYBACK = '/innerpage/gpsplayback.html';
export const FENCE = '/innerpage/fencesetting.html';
export const REPORT = '/innerpage/report.html';

/**
 * `viewer` has no permission, `limited` has `system` and nothing else, `clerk` has every permission but that, the next three have
 * that of one page alone; `stranger` may do everything, in the southern fleet.
 */
const MEMBERS = {
  chief: ALL_PERMISSIONS,
  reporter: ['report', 'event', 'export'],
  viewer: [],
  limited: ['system'],
  clerk: ALL_PERMISSIONS.filter((permission) => permission !== 'system'),
  fitter: ['fwupdate'],
  archivist: ['datasync'],
  accountant: ['netflow'],
  stranger: ALL_PERMISSIONS,
} as const;
type TrackMember = keyof typeof MEMBERS;

/** A vehicle as a fleet has it, and as its terminal dials. */
export type Vehicle = Pick<VehicleProfile, 'deviceId' | 'name' | 'number'>;

export const BUS = { deviceId: 'BUS1', name: 'Lake line 1', number: '13900003001' } as const;
const TRUCK = { deviceId: 'TRUCK1', name: 'Southern truck 1', number: '13900003002' } as const;

/** Two trips of 12 km each in the last three hours: 20 minutes at 36 km/h, a stop of 25 minutes, and the same again. */
const DRIVEN: readonly Leg[] = [
  { minutes: 20, speedKmh: 36, ignitionOn: true },
  { minutes: 25, speedKmh: 0, ignitionOn: false },
  { minutes: 20, speedKmh: 36, ignitionOn: true },
  { minutes: 10, speedKmh: 0, ignitionOn: false },
];
export const PLACE = { latitude: 25.03, longitude: 121.5 } as const;
const HOUR_MS = 3_600_000;
const HOURS_AGO_MS = 3 * HOUR_MS;

/** A geofence as a page sends it, but for its name. */
export const CIRCLE = {
  enabled: true,
  kind: 'circle',
  geometry: { type: 'Point', coordinates: [121, 23] },
  radiusMeters: 300,
  widthMeters: 0,
  color: '#1a5fb4',
  validFromMs: 0,
  validToMs: 0,
  schedule: [],
  timeZone: '',
  deviceGroups: [],
  devices: [],
  rules: {
    enter: true,
    leave: true,
    insideMinutes: 0,
    outsideMinutes: 0,
    speedKmh: 0,
    parkedMinutes: 0,
    wrongDirection: false,
  },
} as const;

export interface TrackScene {
  readonly product: Product;
  readonly people: People;
  /** When the first trip began. */
  readonly startMs: number;
  openPage(member: TrackMember, address: string, options?: PageOptions): Promise<Page>;
  /** Opens the page of somebody who is not signed in. */
  openStrangersPage(address: string): Promise<Page>;
  /** Calls the API as a page does, with the member's session; fails with what the gateway says. */
  call(member: TrackMember, method: string, path: string, body?: object): Promise<unknown>;
  /** Gives the status alone, for calls that may be refused. */
  statusOf(member: TrackMember, path: string, method?: string, body?: object): Promise<number>;
  /** Signs in again in the browser of all the member's pages, once the session has ended. */
  signInAgain(member: TrackMember): Promise<void>;
  /** Signs the vehicle's terminal in, until the test has finished. */
  dial(vehicle: { readonly number: string }): Promise<RawTerminal>;
  close(): Promise<void>;
}

export interface TrackSceneOptions {
  /** Vehicles beside the bus, in the northern fleet. */
  readonly vehicles?: readonly Vehicle[];
  readonly environment?: Parameters<typeof startProduct>[1];
  /** Adds more to the database before the gateway starts. */
  readonly fillMore?: (stores: Stores, north: Fleet) => Promise<void>;
}

export interface Fleet {
  readonly deviceGroup: number;
  readonly memberGroup: number;
}

export async function startTrackScene(options: TrackSceneOptions = {}): Promise<TrackScene> {
  const product = await startProduct((stores) => fill(stores, options), options.environment);
  const people = peopleAt(await sharedChromium(['--enable-unsafe-swiftshader']), product.address);
  const scene: TrackScene = {
    product,
    people,
    // A terminal reports whole seconds.
    startMs: Math.floor((Date.now() - HOURS_AGO_MS) / 1_000) * 1_000,
    openPage: async (member, address, options) => {
      const page = await people.openPage(member, options);
      await page.goto(address);
      return page;
    },
    openStrangersPage: async (address) => {
      const page = await newPage(await people.strangersContext());
      await page.goto(address);
      return page;
    },
    call: async (member, method, path, body) => {
      const response = await request(people, member, { address: product.address, method, path, body });
      if (!response.ok()) throw new Error(`${method} ${path}: ${response.status()} ${await response.text()}`);
      return ((await response.json()) as { readonly data: unknown }).data;
    },
    statusOf: async (member, path, method = 'GET', body = undefined) =>
      (await request(people, member, { address: product.address, method, path, body })).status(),
    signInAgain: async (member) => signIn(await people.contextOf(member), product.address, member),
    dial: async ({ number }) => {
      const terminal = await RawTerminal.dial({ port: product.jt808Port, number });
      await terminal.signIn();
      return terminal;
    },
    close: async () => {
      await people.close();
      await product.stop();
    },
  };
  return scene;
}

/** Sends what the bus drove, as its terminal sends it afterwards. */
async function sendDrive(scene: TrackScene, terminal: RawTerminal): Promise<void> {
  const positions = positionsOf({ ...PLACE, startMs: scene.startMs, odometerKm: 1_000, legs: DRIVEN });
  for (const bulk of bulksOf(positions)) terminal.say(bulk);
}

/** The span of the whole drive, and an hour before it. */
export function spanOfDrive({ startMs }: TrackScene): { readonly fromMs: number; readonly toMs: number } {
  return { fromMs: startMs - HOUR_MS, toMs: startMs + 4 * HOUR_MS };
}

/** Makes a function that has the bus drive, once, and answers when both trips are known. A terminal needs a test that it belongs to. */
export function driveOnce(scene: () => TrackScene): () => Promise<void> {
  let driven: Promise<void> | undefined;
  return () => {
    driven ??= driveNow(scene());
    return driven;
  };
}

async function driveNow(scene: TrackScene): Promise<void> {
  await sendDrive(scene, await scene.dial(BUS));
  const { fromMs, toMs } = spanOfDrive(scene);
  const query = new URLSearchParams({ deviceid: BUS.deviceId, from: String(fromMs), to: String(toMs) });
  await waitFor(
    'the trips of the drive',
    async () => (await scene.call('reporter', 'GET', `${TRACK_SUMMARY_PATH}?${query}`)) as TrackSummary,
    ({ trips }) => trips.filter(({ isOpen }) => !isOpen).length === 2,
  );
}

interface Call {
  readonly address: string;
  readonly method: string;
  readonly path: string;
  readonly body: object | undefined;
}

async function request(
  people: People,
  member: TrackMember,
  { address, method, path, body }: Call,
): Promise<APIResponse> {
  const context = await people.contextOf(member);
  const options = { method, headers: { origin: address }, ...(body === undefined ? {} : { data: body }) };
  return context.request.fetch(`${address}${path}`, options);
}

async function fill(stores: Stores, { vehicles = [], fillMore }: TrackSceneOptions): Promise<void> {
  const passwordHash = await cheapHash(PASSWORD);
  const north = await addFleet(stores, 'Northern fleet', [BUS, ...vehicles]);
  const south = await addFleet(stores, 'Southern fleet', [TRUCK]);
  for (const [username, permissions] of Object.entries(MEMBERS)) {
    const id = await stores.users.insert({ username, passwordHash, permissions }, wallMs(Date.now()));
    await stores.memberGroups.setGroupsOfUser(id, [username === 'stranger' ? south.memberGroup : north.memberGroup]);
  }
  await fillMore?.(stores, north);
}

async function addFleet(stores: Stores, name: string, vehicles: readonly Vehicle[]): Promise<Fleet> {
  const deviceGroup = await stores.deviceGroups.insert(name);
  const memberGroup = await stores.memberGroups.insert({ name });
  await stores.memberGroups.setDeviceGroups(memberGroup, [deviceGroup]);
  for (const { deviceId, name: deviceName, number } of vehicles) {
    const terminal = { canonical: number, raw: number.padStart(20, '0') };
    const timeZone = 'Asia/Taipei';
    await stores.devices.insert({ deviceId, name: deviceName, chn: 2, deviceGroup, terminal, timeZone });
  }
  return { deviceGroup, memberGroup };
}
