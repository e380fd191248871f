// An outbox in a database, with a clock and a carrier of the test's.
import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { Deliverer, type DelivererDeps } from '../../../../server/notify/delivery/deliverer.ts';
import type { DeliveringSender } from '../../../../server/notify/delivery/deliveryDeps.ts';
import { DeliveryFigures } from '../../../../server/notify/delivery/deliveryFigures.ts';
import { SenderHealth } from '../../../../server/notify/delivery/senderHealth.ts';
import type { OutgoingMessage, SendOptions, SendResult, Transport } from '../../../../server/notify/outgoing.ts';
import type { PlannedMessage } from '../../../../server/store/notify/plannedMessage.ts';
import { createStores } from '../../../../server/store/stores.ts';
import type { NotifyMessageDetail } from '../../../../shared/protocol/api/notify/notifyMessages.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';
import { noFaults } from '../../../support/fakes/noFaults.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { storedEvent } from '../../store/events/storedEvent.ts';
import { addMessage, addSender, PLANNED_AT_MS, plannedMessage } from '../../store/notify/plannedMessage.ts';
import { openTestDatabase } from '../../store/testDatabase.ts';

export interface Sent {
  readonly sender: number;
  readonly message: OutgoingMessage;
  readonly atMs: number;
}

export type DeliveryScene = Awaited<ReturnType<typeof openDeliveryScene>>;

const SENT: SendResult = { outcome: 'sent', answer: '200 OK' };

export async function openDeliveryScene(change: Partial<DelivererDeps> = {}) {
  const database = await openTestDatabase('sqlite');
  const { db } = database;
  const stores = createStores(db);
  const timers = new ManualTimers();
  const now = (): number => PLANNED_AT_MS + timers.now();
  const sent: Sent[] = [];
  const senders = new Map<number, Partial<DeliveringSender>>();
  const failing: string[] = [];
  const changed: number[] = [];
  /** What the other side says; a promise that never settles hangs. */
  const answers = { of: (_sent: Sent, _options: SendOptions): Promise<SendResult> => Promise.resolve(SENT) };
  const transport: Transport = {
    send: (message, { id }, options) => {
      const one = { sender: id, message, atMs: now() };
      sent.push(one);
      return answers.of(one, options);
    },
  };
  const figures = new DeliveryFigures();
  const health = new SenderHealth();
  health.watch((sender, isFailing) => failing.push(`${sender} ${isFailing}`));
  const memberGroup = await addMemberGroup();
  const deps: DelivererDeps = {
    queue: stores.notifyQueue,
    failedBefore: stores.notifySenderHealth.failed,
    contactOf: () => 'not-in-group',
    repeatAt: ({ repeatMs }, sentAtMs) => sentAtMs + repeatMs,
    compose: async ({ key, severity }, destination) => ({
      key,
      destination,
      severity,
      subject: 'Speeding',
      body: `Made at ${timers.now()}`,
      link: '',
      eventAtMs: PLANNED_AT_MS,
    }),
    openSender: async (id) => {
      const sender = { name: 'Desk', kind: 'webhook', settings: {}, secret: '', enabled: true, perMinute: 0 } as const;
      return senders.has(id) ? { id, ...sender, ...senders.get(id) } : undefined;
    },
    transports: { email: transport, webhook: transport, sms: transport, syslog: transport, push: transport },
    health,
    figures,
    newKey: randomUUID,
    now,
    runAfter: timers.runAfter,
    random: () => 0.5,
    onChanged: (ids) => changed.push(...ids),
    onFault: noFaults,
    ...change,
  };
  const deliverer = new Deliverer(deps);
  onTestFinished(async () => {
    const closed = deliverer.close();
    timers.advance(10_000);
    await closed;
    await database.close();
  });

  async function addMemberGroup(): Promise<number> {
    return stores.memberGroups.insert({ name: 'Night' });
  }

  async function detail(id: number): Promise<NotifyMessageDetail> {
    const found = await stores.notifyMessages.detail(memberGroup, id);
    if (found === undefined) throw new Error(`no message ${id}`);
    return found;
  }

  return {
    ...{
      db,
      stores,
      timers,
      now,
      sent,
      senders,
      failing,
      changed,
      answers,
      deliverer,
      deps,
      memberGroup,
      figures,
      detail,
    },
    addSender: async (sender: Partial<DeliveringSender> = {}): Promise<number> => {
      const id = await addSender(db);
      senders.set(id, sender);
      return id;
    },
    /** An event of its own and a message that tells of it. */
    add: async (planned: Partial<PlannedMessage>): Promise<{ readonly id: number; readonly event: number }> => {
      const added = [storedEvent('speeding', PLANNED_AT_MS)];
      const [event = 0] = await stores.eventLog.write({ added, changed: [], days: [] });
      const message = plannedMessage({ memberGroup, createdAtMs: now(), dueAtMs: now(), ...planned });
      return { id: await addMessage(db, message, event), event };
    },
    answer: async (event: number): Promise<void> => {
      await db.updateTable('event').set({ status: 1 }).where('id', '=', event).execute();
    },
    /** The same after a while. The delivery may fall asleep only now, so the clock goes on. */
    reachesAfter: async (ms: number, id: number, state: string, attempts = 0): Promise<NotifyMessageDetail> => {
      timers.advance(ms);
      return waitFor(
        `message ${id} is ${state}`,
        () => {
          timers.advance(1);
          return detail(id);
        },
        (found) => found.message.state === state && found.attempts.length >= attempts,
      );
    },
    /** Waits until the message has a state and so many attempts. */
    reaches: (id: number, state: string, attempts = 0) =>
      waitFor(
        `message ${id} is ${state}`,
        () => detail(id),
        (found) => found.message.state === state && found.attempts.length >= attempts,
      ),
  };
}
