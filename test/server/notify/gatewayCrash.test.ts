// Notifications of a whole gateway that is killed without a word: whatever a terminal was told is kept, somebody is told of.
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { StoreDb } from '../../../server/store/engine/database.ts';
import type { Stores } from '../../../server/store/stores.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { freePorts } from '../../support/freePorts.ts';
import { type HttpSink, startHttpSink } from '../../support/notify/httpSink.ts';
import { aRuleContent, aStep } from '../../support/notify/notifyFacts.ts';
import { KILLS, KILLS_TIMEOUT_MS } from '../../support/runs.ts';
import { createTempFolder } from '../../support/tempFolder.ts';
import { waitFor } from '../../support/waitFor.ts';
import { RawTerminal } from '../device/rawTerminal.ts';
import {
  crossing,
  keptBy,
  LIVES_A_DEVICE,
  numberIn,
  resultsOf,
  startGateway,
  withStores,
} from '../events/crashGateway.ts';
import { refuseQuestions } from '../events/evidence/evidenceScene.ts';

const EVENTS_A_LIFE = 4;
const SENT = 1;
const VARIABLES = { NOTIFY_NETWORKS: '127.0.0.0/8' };

it('tells of every event that a terminal was told is kept, under one key each, when it is killed', {
  timeout: KILLS_TIMEOUT_MS,
}, async () => {
  const folder = await createTempFolder();
  onTestFinished(() => folder.remove());
  const sink = await openSink();
  await withStores(folder.path, (stores) => prepare(stores, sink.port));
  const told: number[] = [];
  const codes = new Map<string, string>();
  for (let life = 0; life < KILLS; life++) {
    const [jt808Port = 0, webPort = 0] = await freePorts(2);
    const gateway = await startGateway(folder.path, { jt808Port, webPort }, VARIABLES);
    const number = numberIn(life);
    const terminal = await RawTerminal.dial({ port: jt808Port, number });
    refuseQuestions(terminal);
    const code = codes.get(number);
    if (code === undefined) codes.set(number, await terminal.signIn());
    else expect(await terminal.authenticate(code)).toBe(true);
    const areas = Array.from({ length: EVENTS_A_LIFE }, (_, at) => life * EVENTS_A_LIFE + at + 1);
    for (const area of areas.slice(0, -1)) {
      await keptBy(terminal, crossing(area));
      told.push(area);
    }
    // The last one is under way when the end comes, or its message is, at another moment each time.
    const last = areas.at(-1) ?? 0;
    const before = resultsOf(terminal).length;
    terminal.say(crossing(last));
    await delay(((life + 1) * 13) % 60);
    const isClosed = new Promise((resolve) => terminal.socket.once('close', resolve));
    gateway.kill('SIGKILL');
    await Promise.all([once(gateway, 'exit'), isClosed]);
    if (resultsOf(terminal).length > before) told.push(last);
  }
  const stored = () => withStores(folder.path, (_stores, db) => messagesOf(db));
  const messages = await stored();
  const [jt808Port = 0, webPort = 0] = await freePorts(2);
  const gateway = await startGateway(folder.path, { jt808Port, webPort }, VARIABLES);
  await waitFor('all are sent', async () => (await stored()).every(({ state }) => state === SENT));
  gateway.kill('SIGKILL');
  await once(gateway, 'exit');

  const areas = new Set(messages.map(({ area }) => area));
  expect(told.filter((area) => !areas.has(area))).toEqual([]);
  expect(areas.size, 'one message for each event').toBe(messages.length);
  const taken = sink.requests.map(({ headers, body }) => ({
    key: String(headers['idempotency-key']),
    eventId: eventOf(body),
  }));
  // What came twice came under the key of its message, and told of the same event.
  const eventsByKey = new Map(messages.map(({ key, eventId }) => [key, eventId]));
  expect(taken.filter(({ key, eventId }) => eventsByKey.get(key) !== eventId)).toEqual([]);
  expect(new Set(taken.map(({ key }) => key)).size).toBe(messages.length);
});

/** A bus for some lives each, and a rule that tells a service of their events. */
async function prepare(stores: Stores, port: number): Promise<void> {
  const deviceGroup = await stores.deviceGroups.insert('Buses');
  for (let life = 0; life < KILLS; life += LIVES_A_DEVICE) {
    const canonical = numberIn(life);
    const terminal = { canonical, raw: canonical.padStart(20, '0') };
    await stores.devices.insert({ deviceId: `BUS${life}`, name: 'Bus', chn: 1, terminal, deviceGroup });
  }
  const memberGroup = await stores.memberGroups.insert({ name: 'Members' });
  await stores.memberGroups.setDeviceGroups(memberGroup, [deviceGroup]);
  const settings = { url: `http://127.0.0.1:${port}/`, headers: [] };
  const sender = await stores.notifySenders.insert({
    name: 'Desk',
    kind: 'webhook',
    enabled: true,
    perMinute: 0,
    settings,
  });
  if (!sender.ok) throw new Error(sender.reason);
  const steps = [aStep({ deliveries: [{ sender: sender.value.id, template: 0 }] })];
  const content = aRuleContent({ types: ['area-crossed'], steps });
  await stores.notifyRules.insert({ memberGroup }, { content, by: 'ann', atMs: wallMs(Date.now()) });
}

async function messagesOf(db: StoreDb) {
  return db
    .selectFrom('notify_message')
    .innerJoin('event', 'event.id', 'notify_message.event_id')
    .select(['notify_message.key', 'notify_message.state', 'event.id as eventId', 'event.area'])
    .execute();
}

function eventOf(body: Buffer): number {
  return Number((JSON.parse(body.toString()) as { readonly event: { readonly id: string } }).event.id);
}

/** Some answers come late, so that a kill falls between the delivery and its note. */
async function openSink(): Promise<HttpSink> {
  const sink: HttpSink = await startHttpSink((response) => {
    if (sink.requests.length % 3 === 0) setTimeout(() => response.end('taken'), 15);
    else response.end('taken');
  });
  onTestFinished(() => sink.close());
  return sink;
}
