// Two device groups with a device each, three members, and events of all of them.
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { builtInReasonRows, builtInRows } from '../../../../server/events/types/builtInRows.ts';
import type { NewEvent } from '../../../../server/store/events/eventLog.ts';
import type { EventRow } from '../../../../shared/protocol/api/events.ts';
import { anEvent } from '../../store/events/anEvent.ts';
import { createTestApp, type TestApp } from '../testApp.ts';
import type { Answer } from './eventDefineScene.ts';

/** `ann` and `bob` see the north, `sue` the south; `root` is an administrator who sees the north. */
export type Username = 'ann' | 'bob' | 'sue' | 'root';

interface Page {
  readonly rows: readonly EventRow[];
  readonly total: number;
  readonly next: string | null;
}

export interface EventScene {
  readonly test: TestApp;
  /** Numbers of the archives. */
  readonly north: number;
  readonly south: number;
  /** Gives their ids, in this order. */
  add(...events: readonly Partial<NewEvent>[]): Promise<number[]>;
  ask<Data>(method: InjectOptions['method'], url: string, body?: object, as?: Username): Promise<Answer<Data>>;
  page(query?: string, as?: Username): Promise<Page>;
  ids(query?: string, as?: Username): Promise<readonly number[]>;
  download(url: string, as?: Username): Promise<LightMyRequestResponse>;
}

export const BEGIN_MS = 1_795_000_000_000;

export async function createEventScene(): Promise<EventScene> {
  const test = await createTestApp();
  const { stores } = test;
  await stores.eventTypes.addMissing(builtInRows());
  await stores.eventReasons.addMissing(builtInReasonRows());
  const [north, south] = [await addPlace(test, 'North', 'BUS1'), await addPlace(test, 'South', 'BUS2')];
  await test.addUser('ann', ['event'], [north.memberGroup]);
  await test.addUser('bob', ['event'], [north.memberGroup]);
  await test.addUser('sue', ['event'], [south.memberGroup]);
  await test.addUser('root', ['event', 'system'], [north.memberGroup]);
  const cookies = new Map<Username, string>();
  const cookieOf = async (username: Username): Promise<string> => {
    const cookie = cookies.get(username) ?? (await test.signIn(username));
    cookies.set(username, cookie);
    return cookie;
  };
  const ask: EventScene['ask'] = async (method = 'GET', url, body, as = 'ann') => {
    const headers = { cookie: await cookieOf(as) };
    const answer = await test.request({ method, url, headers, ...(body === undefined ? {} : { body }) });
    const { code, data } = answer.json();
    return { status: answer.statusCode, code, data };
  };
  const page: EventScene['page'] = async (query = '', as) => {
    const { status, data } = await ask<Page>('GET', `/api/event/events?${query}`, undefined, as);
    if (status !== 200) throw new Error(`the list was refused with ${status}`);
    return data;
  };
  return {
    test,
    north: north.archiveNumber,
    south: south.archiveNumber,
    add: (...events) => {
      const added = events.map((event) => anEvent({ archiveNumber: north.archiveNumber, isLate: false, ...event }));
      return stores.eventLog.write({ added, changed: [], days: [] });
    },
    ask,
    page,
    ids: async (query, as) => (await page(query, as)).rows.map(({ id }) => id),
    download: async (url, as = 'ann') => test.download(url, await cookieOf(as)),
  };
}

async function addPlace({ stores }: TestApp, name: string, deviceId: string) {
  const deviceGroup = await stores.deviceGroups.insert(name);
  const memberGroup = await stores.memberGroups.insert({ name });
  await stores.memberGroups.setDeviceGroups(memberGroup, [deviceGroup]);
  await stores.devices.insert({ deviceId, name: `${name} line`, plate: `${name}-1`, deviceGroup, chn: 4 });
  const archive = (await stores.fleet.archives()).find((device) => device.deviceId === deviceId);
  return { memberGroup, archiveNumber: archive?.archiveNumber ?? 0 };
}
