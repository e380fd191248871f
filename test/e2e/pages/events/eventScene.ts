// The built gateway with a few vehicles, events of the last minutes and operators.
import type { Browser, Page } from 'playwright-core';
import type { MessageBody } from '../../../../server/device/jt808/codec/message.ts';
import type { Stores } from '../../../../server/store/stores.ts';
import { ALL_PERMISSIONS } from '../../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { RawTerminal } from '../../../server/device/rawTerminal.ts';
import { anEvent } from '../../../server/store/events/anEvent.ts';
import { sharedChromium } from '../../../support/browser/chromium.ts';
import { cheapHash } from '../../../support/fakes/cheapHash.ts';
import { newPage, type PageOptions, type People, peopleAt } from '../../../support/gateway/people.ts';
import { type Product, startProduct } from '../../../support/gateway/product.ts';
import { PASSWORD } from '../../../support/gateway/site.ts';

export const TODAY = '/innerpage/todayevent.html';
export const HISTORY = '/innerpage/historyevent.html';

/** `viewer` has no permission. The two operators see the vehicles of their group; `stranger` sees no vehicle. */
const OPERATORS = {
  viewer: [],
  operator: ['event'],
  mei: ['event'],
  kenji: ['event'],
  stranger: ['event'],
  chief: ALL_PERMISSIONS,
} as const;
type Operator = keyof typeof OPERATORS;

/** Each test has a vehicle of its own: the alarms of one continue one event. */
export const BUSES = [1, 2, 3, 4].map((at) => ({
  deviceId: `BUS${at}`,
  name: `Lake line ${at}`,
  plate: `KAA-000${at}`,
  number: `1390000100${at}`,
}));
export type Bus = (typeof BUSES)[number];

export interface EventScene {
  readonly product: Product;
  readonly people: People;
  openPage(operator: Operator, address: string, options?: PageOptions): Promise<Page>;
  /** The page of somebody who is not signed in. */
  openStrangersPage(address: string): Promise<Page>;
  /** Signs the vehicle's terminal in, until the test has finished. */
  dial(bus: Bus | undefined): Promise<RawTerminal>;
  close(): Promise<void>;
}

export async function startEventScene(): Promise<EventScene> {
  const product = await startProduct(fill);
  // Software draws the map here; browsers with a graphics card need no flag for it.
  const browser: Browser = await sharedChromium(['--enable-unsafe-swiftshader']);
  const people: People = peopleAt(browser, product.address);
  return {
    product,
    people,
    openPage: async (operator, address, options) => {
      const page = await people.openPage(operator, options);
      await page.goto(address);
      return page;
    },
    openStrangersPage: async (address) => {
      const page = await newPage(await people.strangersContext());
      await page.goto(address);
      return page;
    },
    dial: async (bus) => {
      const terminal = await RawTerminal.dial({ port: product.jt808Port, number: bus?.number ?? '' });
      await terminal.signIn();
      return terminal;
    },
    close: async () => {
      await people.close();
      await product.stop();
    },
  };
}

async function fill(stores: Stores): Promise<void> {
  const passwordHash = await cheapHash(PASSWORD);
  const deviceGroup = await stores.deviceGroups.insert('North');
  const memberGroup = await stores.memberGroups.insert({ name: 'Northern fleet' });
  await stores.memberGroups.setDeviceGroups(memberGroup, [deviceGroup]);
  for (const [username, permissions] of Object.entries(OPERATORS)) {
    const id = await stores.users.insert({ username, passwordHash, permissions }, wallMs(Date.now()));
    if (username !== 'stranger') await stores.memberGroups.setGroupsOfUser(id, [memberGroup]);
  }
  for (const { deviceId, name, plate, number } of BUSES) {
    const terminal = { canonical: number, raw: number.padStart(20, '0') };
    await stores.devices.insert({ deviceId, name, plate, chn: 2, deviceGroup, terminal });
  }
  await addSpareBus(stores, deviceGroup);
}

/** A bus with two events of the last second. */
export async function addSpareBus(stores: Stores, deviceGroup: number): Promise<void> {
  const { archiveNumber } = await stores.devices.insert({ deviceId: 'SPARE', name: 'Spare bus', chn: 2, deviceGroup });
  const beginAtMs = Date.now() - 1_000;
  const times = { beginAtMs, deviceTimeMs: beginAtMs, lastSeenAtMs: beginAtMs, endAtMs: beginAtMs + 500 };
  const added = [
    anEvent({ ...times, archiveNumber }),
    anEvent({
      ...times,
      archiveNumber,
      type: 'video-loss',
      unit: 2,
      severity: 'minor',
      value: undefined,
      isLate: false,
    }),
  ];
  await stores.eventLog.write({ added, changed: [], days: [] });
}

/** What a terminal says of its position; bit 0 of `alarm` is the emergency button. */
export function positionOf(alarm: number): MessageBody {
  return {
    kind: 'position',
    alarm,
    status: 3,
    latitude: 25.034,
    longitude: 121.565,
    altitudeMeters: 10,
    speedKmh: 50,
    direction: 90,
    time: wallMs(Date.now()),
    items: [],
    tail: new Uint8Array(),
  };
}
