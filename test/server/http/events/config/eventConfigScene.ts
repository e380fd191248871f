// Two member groups with device groups of their own, and administrators of both.
import type { InjectOptions } from 'fastify';
import { builtInRows } from '../../../../../server/events/types/builtInRows.ts';
import type { ChangedEventRule, EventRuleRow, RuleScopeQuery } from '../../../../../shared/protocol/api/eventConfig.ts';
import { createTestApp, type TestApp } from '../../testApp.ts';
import { type Answer, cookieFor } from '../eventDefineScene.ts';

const RULES = '/api/eventconfig/rules';

/** `north` and `south`: administrators of one member group each. `mute`: one of the north, who may send drivers no texts. `lister`: may not configure events. */
export type Username = 'north' | 'south' | 'mute' | 'lister' | '';

export interface EventConfigScene {
  readonly test: TestApp;
  /** Buses, with a group of night buses in it, belongs to the north, trucks to the south. */
  readonly groups: { readonly buses: number; readonly nightBuses: number; readonly trucks: number };
  ask<Data>(method: InjectOptions['method'], url: string, body?: object, as?: Username): Promise<Answer<Data>>;
  rows(place: RuleScopeQuery, as?: Username): Promise<Answer<readonly EventRuleRow[]>>;
  rowOf(type: string, place: RuleScopeQuery, as?: Username): Promise<EventRuleRow>;
  put<Data = EventRuleRow>(change: ChangedEventRule, as?: Username): Promise<Answer<Data>>;
}

/** BUS1 is a night bus, TRUCK1 a truck, LONE in no group. */
export async function createEventConfigScene(): Promise<EventConfigScene> {
  const test = await createTestApp();
  const { stores } = test;
  await stores.eventTypes.addMissing(builtInRows());
  const buses = await stores.deviceGroups.insert('Buses');
  const trucks = await stores.deviceGroups.insert('Trucks');
  const north = await stores.memberGroups.insert({ name: 'North' });
  const south = await stores.memberGroups.insert({ name: 'South' });
  await stores.memberGroups.setDeviceGroups(north, [buses]);
  await stores.memberGroups.setDeviceGroups(south, [trucks]);
  const added = await stores.deviceTree.add({ name: 'Night', parent: buses, among: [buses] }, north);
  if (!added.ok) throw new Error(added.reason);
  const nightBuses = added.group.serialno;
  for (const [deviceId, deviceGroup] of [
    ['BUS1', nightBuses],
    ['TRUCK1', trucks],
    ['LONE', undefined],
  ] as const) {
    await stores.devices.insert({ deviceId, name: deviceId, chn: 4, ...(deviceGroup && { deviceGroup }) });
  }
  await test.addUser('north', ['system', 'eventconfig', 'devicetext'], [north]);
  await test.addUser('south', ['system', 'eventconfig', 'devicetext'], [south]);
  await test.addUser('mute', ['system', 'eventconfig'], [north]);
  await test.addUser('lister', ['system', 'event'], [north]);
  const ask: EventConfigScene['ask'] = async (method = 'GET', url, body, as = 'north') => {
    const headers = as === '' ? {} : { cookie: await cookieFor(test, as) };
    const answer = await test.request({ method, url, headers, ...(body === undefined ? {} : { body }) });
    const { code, data } = answer.json();
    return { status: answer.statusCode, code, data };
  };
  const rows: EventConfigScene['rows'] = (place, as) =>
    ask('GET', `${RULES}?${new URLSearchParams({ ...place })}`, undefined, as);
  return {
    test,
    groups: { buses, nightBuses, trucks },
    ask,
    rows,
    rowOf: async (type, place, as) => {
      const row = (await rows(place, as)).data.find((each) => each.type === type);
      if (row === undefined) throw new Error(`no ${type}`);
      return row;
    },
    put: (change, as) => ask('PUT', RULES, change, as),
  };
}
