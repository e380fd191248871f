// Two member groups with a bus and a truck, members, and senders of the installation.
import type { InjectOptions } from 'fastify';
import { builtInRows } from '../../../../../server/events/types/builtInRows.ts';
import type { NewEvent } from '../../../../../server/store/events/eventLog.ts';
import type { NotifyRule, NotifyRuleContent } from '../../../../../shared/protocol/api/notify/notifyRules.ts';
import { SENDER_KINDS, type SenderKind } from '../../../../../shared/protocol/notify/notifyWords.ts';
import { aRuleContent } from '../../../../support/notify/notifyFacts.ts';
import { anEvent } from '../../../store/events/anEvent.ts';
import { type Answer, cookieFor } from '../../events/eventDefineScene.ts';
import { createTestApp, type TestApp } from '../../testApp.ts';

export const RULES = '/api/eventnotify/rules';

/** `north` and `south` configure notifications of one member group each. */
export type Username = 'north' | 'south' | 'operator' | 'lister' | '';

export interface NotifyRuleScene {
  readonly test: TestApp;
  readonly north: { readonly memberGroup: number; readonly deviceGroup: number; readonly archiveNumber: number };
  readonly south: { readonly memberGroup: number; readonly deviceGroup: number; readonly archiveNumber: number };
  readonly users: Readonly<Record<Exclude<Username, ''>, number>>;
  readonly senders: { readonly mail: number; readonly hook: number };
  /** Id of a template for mail. */
  readonly template: number;
  ask<Data>(method: InjectOptions['method'], url: string, body?: object, as?: Username): Promise<Answer<Data>>;
  /** A rule that notifies north, by mail. */
  content(change?: Partial<NotifyRuleContent>): NotifyRuleContent;
  add(change?: Partial<NotifyRuleContent>, as?: Username): Promise<NotifyRule>;
  /** Adds events of the bus, which began now. Gives their ids. */
  addEvents(...events: readonly Partial<NewEvent>[]): Promise<number[]>;
}

export async function createNotifyRuleScene(): Promise<NotifyRuleScene> {
  const test = await createTestApp();
  const { stores } = test;
  await stores.eventTypes.addMissing(builtInRows());
  const [north, south] = [await addPlace(test, 'North', 'BUS1'), await addPlace(test, 'South', 'TRUCK1')];
  const configure = ['system', 'eventnotifyconfig'];
  const users = {
    north: await test.addUser('north', configure, [north.memberGroup]),
    south: await test.addUser('south', configure, [south.memberGroup]),
    operator: await test.addUser('operator', ['event', 'eventnotifyconfig'], [north.memberGroup]),
    lister: await test.addUser('lister', ['system', 'event'], [north.memberGroup]),
  };
  await test.db.updateTable('app_user').set({ email: 'north@example.com' }).where('id', '=', users.north).execute();
  const senders = { mail: await addSender(test, 'Mail', 'email'), hook: await addSender(test, 'Hook', 'webhook') };
  const template = await addTemplate(test, 'email');
  const ask: NotifyRuleScene['ask'] = async (method = 'GET', url, body, as = 'north') => {
    const headers = as === '' ? {} : { cookie: await cookieFor(test, as) };
    const answer = await test.request({ method, url, headers, ...(body === undefined ? {} : { body }) });
    const { code, data } = answer.json();
    return { status: answer.statusCode, code, data };
  };
  const content: NotifyRuleScene['content'] = (change) => {
    const deliveries = [{ sender: senders.mail, template: 0 }];
    const step = { afterMinutes: 0, deliveries, members: [users.north], roles: [], addresses: [] };
    return aRuleContent({ steps: [step], ...change });
  };
  await test.notifySettings.reload();
  return {
    test,
    north,
    south,
    users,
    senders,
    template,
    ask,
    content,
    add: async (change, as) => {
      const { status, code, data } = await ask<NotifyRule>('POST', RULES, content(change), as);
      if (status !== 200) throw new Error(`${status} ${code} ${JSON.stringify(data)}`);
      return data;
    },
    addEvents: (...events) => {
      const added = events.map((event) => {
        return anEvent({ archiveNumber: north.archiveNumber, beginAtMs: test.clock.now, isLate: false, ...event });
      });
      return stores.eventLog.write({ added, changed: [], days: [] });
    },
  };
}

async function addPlace({ stores }: TestApp, name: string, deviceId: string) {
  const deviceGroup = await stores.deviceGroups.insert(name);
  const memberGroup = await stores.memberGroups.insert({ name });
  await stores.memberGroups.setDeviceGroups(memberGroup, [deviceGroup]);
  const device = await stores.devices.insert({ deviceId, name: `${name} 1`, plate: `${name}-1`, deviceGroup, chn: 4 });
  return { memberGroup, deviceGroup, archiveNumber: device.archiveNumber };
}

async function addSender({ db }: TestApp, name: string, kind: SenderKind): Promise<number> {
  const row = { name, kind: SENDER_KINDS.indexOf(kind), enabled: 1, per_minute: 0, settings: '{}', secret: '' };
  return (await db.insertInto('notify_sender').values(row).returning('id').executeTakeFirstOrThrow()).id;
}

async function addTemplate({ db }: TestApp, kind: SenderKind): Promise<number> {
  const row = {
    name: 'Own',
    kind: SENDER_KINDS.indexOf(kind),
    fallback: 'en',
    texts: '{}',
    changed_at_ms: 0,
    changed_by: '',
  };
  return (await db.insertInto('notify_template').values(row).returning('id').executeTakeFirstOrThrow()).id;
}
