// Two member groups with a device each, their administrators, and members with fewer permissions.
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import type { Fence, FenceContent } from '../../../../shared/protocol/api/fences/fences.ts';
import { aFenceContent } from '../../../support/aFence.ts';
import { type Answer, cookieFor } from '../events/eventDefineScene.ts';
import { createTestApp, type TestApp } from '../testApp.ts';

export const FENCES = '/api/fence/fences';

/** `north` and `south` draw fences of one member group each. */
type Username = 'north' | 'south' | 'driver' | 'drawer' | 'lister' | '';

interface Place {
  readonly memberGroup: number;
  readonly deviceGroup: number;
}

export interface FenceScene {
  readonly test: TestApp;
  readonly north: Place;
  readonly south: Place;
  ask<Data>(method: InjectOptions['method'], url: string, body?: object, as?: Username): Promise<Answer<Data>>;
  add(change?: Partial<FenceContent>, as?: Username): Promise<Fence>;
  /** Sends a file as a page does. */
  send<Data>(call: 'check' | 'apply', file: string | Buffer, query?: string, as?: Username): Promise<Answer<Data>>;
  export(format: 'geojson' | 'kml'): Promise<LightMyRequestResponse>;
}

export async function createFenceScene(): Promise<FenceScene> {
  const test = await createTestApp();
  const [north, south] = [await addPlace(test, 'North', 'BUS1'), await addPlace(test, 'South', 'TRUCK1')];
  await test.addUser('north', ['system', 'fence'], [north.memberGroup]);
  await test.addUser('south', ['system', 'fence'], [south.memberGroup]);
  await test.addUser('driver', [], [north.memberGroup]);
  await test.addUser('drawer', ['fence'], [north.memberGroup]);
  await test.addUser('lister', ['system'], [north.memberGroup]);
  const headersOf = async (as: Username) => (as === '' ? {} : { cookie: await cookieFor(test, as) });
  const ask: FenceScene['ask'] = async (method = 'GET', url, body, as = 'north') => {
    const headers = await headersOf(as);
    return answerOf(await test.request({ method, url, headers, ...(body === undefined ? {} : { body }) }));
  };
  return {
    test,
    north,
    south,
    ask,
    add: async (change, as) => {
      const { status, code, data } = await ask<Fence>('POST', FENCES, aFenceContent(change), as);
      if (status !== 200) throw new Error(`${status} ${code} ${JSON.stringify(data)}`);
      return data;
    },
    send: async (call, file, query = '', as = 'north') => {
      const headers = { ...(await headersOf(as)), 'content-type': 'application/octet-stream' };
      const url = `/api/fence/${call}?${query}`;
      return answerOf(await test.request({ method: 'POST', url, headers, body: Buffer.from(file) }));
    },
    export: async (format) => test.download(`/api/fence/export?format=${format}`, await cookieFor(test, 'north')),
  };
}

function answerOf<Data>(answer: LightMyRequestResponse): Answer<Data> {
  const { code, data } = answer.json();
  return { status: answer.statusCode, code, data };
}

async function addPlace({ stores }: TestApp, name: string, deviceId: string): Promise<Place> {
  const deviceGroup = await stores.deviceGroups.insert(name);
  const memberGroup = await stores.memberGroups.insert({ name });
  await stores.memberGroups.setDeviceGroups(memberGroup, [deviceGroup]);
  await stores.devices.insert({ deviceId, name: `${name} 1`, plate: `${name}-1`, deviceGroup, chn: 4 });
  return { memberGroup, deviceGroup };
}
