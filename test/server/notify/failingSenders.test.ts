import { Registry } from 'prom-client';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type DeliveryParts, startDelivery } from '../../../server/app/notify/delivery.ts';
import { type ChangeBus, createChangeBus } from '../../../server/bus/changeBus.ts';
import { SenderHealth } from '../../../server/notify/delivery/senderHealth.ts';
import type { SendResult } from '../../../server/notify/outgoing.ts';
import { type Closing, createClosing } from '../../../server/process/closing.ts';
import { createLog } from '../../../server/process/log.ts';
import { createStores, type Stores } from '../../../server/store/stores.ts';
import { noFaults } from '../../support/fakes/noFaults.ts';
import { waitFor } from '../../support/waitFor.ts';
import { storedEvent } from '../store/events/storedEvent.ts';
import { addMessage, addSender, plannedMessage } from '../store/notify/plannedMessage.ts';
import { openTestDatabase, type TestDatabase } from '../store/testDatabase.ts';

const FAILED: SendResult = { outcome: 'retry', answer: '503' };
const SENT: SendResult = { outcome: 'sent', answer: '200' };
const LONG_MS = 10 * 60_000;

let database: TestDatabase;
let stores: Stores;
let closing: Closing;
let told: boolean[];
let bus: ChangeBus;
let result: SendResult;
beforeEach(async () => {
  database = await openTestDatabase('sqlite');
  stores = createStores(database.db);
  closing = createClosing((name, error) => {
    throw new Error(`${name} could not be closed`, { cause: error });
  });
  told = [];
  result = SENT;
});
afterEach(async () => {
  await closing.close();
  await database.close();
});

const transport = { send: async () => result };
const partsOf = (health: SenderHealth): DeliveryParts => ({
  contactOf: () => 'not-in-group',
  repeatAt: () => undefined,
  compose: async ({ key, severity }, destination) => ({
    key,
    destination,
    severity,
    subject: '',
    body: 'Speeding',
    link: '',
    eventAtMs: 0,
  }),
  openSender: async (id) => {
    const all = await stores.notifySenders.all();
    return all.map((sender) => ({ ...sender, secret: '' })).find((sender) => sender.id === id);
  },
  transports: { email: transport, webhook: transport, sms: transport, syslog: transport, push: transport },
  onFailing: (isFailing) => told.push(isFailing),
  health,
  plannedCount: () => 0,
});

async function start(): Promise<SenderHealth> {
  const health = new SenderHealth();
  bus = createChangeBus(noFaults);
  const onLimit = () => undefined;
  const context = { stores, bus, metrics: new Registry(), log: createLog('silent'), closing, onLimit };
  await startDelivery(context, partsOf(health));
  return health;
}

/** A sender whose last attempts failed before the gateway ended. */
async function addFailing(): Promise<number> {
  const id = await addSender(database.db);
  const failures = { failures: 9, failing_since_ms: Date.now() - LONG_MS, last_failure_at_ms: Date.now() };
  await database.db.updateTable('notify_sender').set(failures).where('id', '=', id).execute();
  return id;
}

async function addWaiting(sender: number): Promise<void> {
  const nowMs = Date.now();
  const memberGroup = await stores.memberGroups.insert({ name: 'Night' });
  const [event = 0] = await stores.eventLog.write({ added: [storedEvent('speeding', nowMs)], changed: [], days: [] });
  const times = { eventBeginAtMs: nowMs, createdAtMs: nowMs, dueAtMs: nowMs };
  await addMessage(database.db, plannedMessage({ memberGroup, sender, ...times }), event);
}

it('the event of an earlier run ends where no sender fails any more', async () => {
  const sender = await addFailing();
  await database.db.updateTable('notify_sender').set({ enabled: 0 }).where('id', '=', sender).execute();
  await start();
  expect(told).toEqual([false]);
});

it('goes on where one still fails, and ends with its next message that is sent', async () => {
  const sender = await addFailing();
  const health = await start();
  expect(told).toEqual([true]);
  expect([...health.failing]).toEqual([sender]);
  await addWaiting(sender);
  bus.messagesChanged.tell({ kind: 'added', keys: [], senders: [sender] });
  await waitFor('it works again', () => told.length > 1);
  expect(told).toEqual([true, false]);
});

it('is told once, whoever fails besides and however often', async () => {
  const first = await addFailing();
  await addFailing();
  result = FAILED;
  await addWaiting(first);
  const health = await start();
  const failuresOf = async () => (await stores.notifySenders.find(first))?.failures ?? 0;
  await waitFor('it has failed once more', async () => (await failuresOf()) > 9);
  expect(told).toEqual([true]);
  expect(health.failing.size).toBe(2);
});
