// Runs notifications in the gateway: sends what waits in the outbox, and reports the outcome to open pages.
import { randomUUID } from 'node:crypto';
import { followRecords } from '../../bus/changeBus.ts';
import { Deliverer } from '../../notify/delivery/deliverer.ts';
import type { DeliveryDeps } from '../../notify/delivery/deliveryDeps.ts';
import { DeliveryFigures } from '../../notify/delivery/deliveryFigures.ts';
import type { SenderHealth } from '../../notify/delivery/senderHealth.ts';
import { MessageRetention } from '../../notify/messageRetention.ts';
import { registerNotifyMetrics } from '../../notify/metrics.ts';
import { type Context, toolsOf } from '../context.ts';

/** The parts that decide on, word and deliver messages. */
export interface DeliveryParts
  extends Pick<DeliveryDeps, 'contactOf' | 'repeatAt' | 'compose' | 'openSender' | 'transports'> {
  /** Called when the first sender keeps failing, and when none does any more; also once at the start, when all of them are known. */
  readonly onFailing: (isFailing: boolean) => void;
  readonly health: SenderHealth;
  /** Messages planned since the start. */
  readonly plannedCount: () => number;
}

type DeliveryContext = Pick<Context, 'stores' | 'bus' | 'metrics' | 'log' | 'closing' | 'onLimit'>;

/** Runs after the events, which are notified of failing senders. Messages written before wait in the outbox, and are sent first. */
export async function startDelivery(context: DeliveryContext, parts: DeliveryParts): Promise<void> {
  const { stores, metrics, closing, onLimit, bus } = context;
  const { runAfter, onFault } = toolsOf(context, 'notifications');
  const figures = new DeliveryFigures();
  const { health } = parts;
  const deliverer = new Deliverer({
    ...parts,
    queue: stores.notifyQueue,
    failedBefore: stores.notifySenderHealth.failed,
    figures,
    newKey: randomUUID,
    now: Date.now,
    runAfter,
    random: Math.random,
    onChanged: (ids) => bus.messagesChanged.tell({ kind: 'delivered', ids }),
    onFault,
  });
  const retention = new MessageRetention({
    removal: stores.notifyMessageRemoval,
    now: Date.now,
    runAfter,
    onFault,
    onLimit,
  });
  closing.add('retention of notifications', () => retention.close());
  closing.add('delivery of notifications', () => deliverer.close());
  registerNotifyMetrics(metrics, { figures, health, plannedCount: parts.plannedCount });
  await deliverer.start();
  health.watch((_sender, isFailing) => {
    // When several senders fail, the first begins the problem and the last ends it.
    if (health.failing.size === (isFailing ? 1 : 0)) parts.onFailing(isFailing);
  });
  // This also ends the problem that an earlier run began, where no sender fails any more.
  parts.onFailing(health.failing.size > 0);
  followRecords(bus, 'delivery', ['sender'], () => deliverer.sendersChanged());
  bus.messagesChanged.subscribe('delivery', (message) => {
    if (message.kind === 'added') deliverer.wake(message.senders);
    if (message.kind === 'changed') deliverer.wake(message.messages.map(({ sender }) => sender));
  });
}
