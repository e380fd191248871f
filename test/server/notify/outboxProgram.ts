// A process that is killed: it adds messages to the outbox of a database file, and sends them to an address by POST.
// Says on its output the key of each message that the database has, and `empty` when none waits.
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { createRunAfter } from '../../../server/faults/timers.ts';
import { Deliverer } from '../../../server/notify/delivery/deliverer.ts';
import { DeliveryFigures } from '../../../server/notify/delivery/deliveryFigures.ts';
import { SenderHealth } from '../../../server/notify/delivery/senderHealth.ts';
import type { SendResult, Transport } from '../../../server/notify/outgoing.ts';
import { openDatabase } from '../../../server/store/engine/database.ts';
import { createStores } from '../../../server/store/stores.ts';
import { storedEvent } from '../store/events/storedEvent.ts';
import { addMessage, plannedMessage } from '../store/notify/plannedMessage.ts';

const [file = '', url = '', memberGroup = '', sender = '', count = ''] = process.argv.slice(2);

const post: Transport = {
  send: (message, _sender, { signal }) =>
    new Promise<SendResult>((resolve) => {
      const retry = ({ message: answer }: Error): void => resolve({ outcome: 'retry', answer });
      const headers = { 'idempotency-key': message.key };
      const call = request(url, { method: 'POST', headers, signal }, (response) => {
        response.on('error', retry);
        response.on('end', () => resolve({ outcome: 'sent', answer: String(response.statusCode) }));
        response.resume();
      });
      call.on('error', retry);
      call.end(message.body);
    }),
};

function endWith(error: Error): void {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
}

const { db } = await openDatabase({ engine: 'sqlite', file });
const stores = createStores(db);
const deliverer = new Deliverer({
  queue: stores.notifyQueue,
  failedBefore: stores.notifySenderHealth.failed,
  contactOf: () => 'not-in-group',
  repeatAt: () => undefined,
  compose: async ({ key, eventId, severity }, destination) => ({
    key,
    destination,
    severity,
    subject: '',
    body: `${key} tells of ${eventId}`,
    link: '',
    eventAtMs: 0,
  }),
  openSender: async (id) => ({
    id,
    name: 'Desk',
    kind: 'webhook',
    settings: {},
    secret: '',
    enabled: true,
    perMinute: 0,
  }),
  transports: { email: post, webhook: post, sms: post, syslog: post, push: post },
  health: new SenderHealth(),
  figures: new DeliveryFigures(),
  newKey: randomUUID,
  now: Date.now,
  runAfter: createRunAfter(endWith),
  random: Math.random,
  onChanged: () => undefined,
  onFault: endWith,
});
await deliverer.start();

for (let at = 0; at < Number(count); at++) {
  const nowMs = Date.now();
  const [event = 0] = await stores.eventLog.write({ added: [storedEvent('speeding', nowMs)], changed: [], days: [] });
  const whose = { memberGroup: Number(memberGroup), sender: Number(sender) };
  const message = plannedMessage({ ...whose, eventBeginAtMs: nowMs, createdAtMs: nowMs, dueAtMs: nowMs });
  await addMessage(db, message, event);
  process.stdout.write(`${message.key}\n`);
  deliverer.wake([whose.sender]);
}
while ((await stores.notifyQueue.waitingCount()) > 0) await delay(20);
process.stdout.write('empty\n');
