import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { SENDER_KINDS } from '../../shared/protocol/notify/notifyWords.ts';
import { DELIVERY_OUTCOMES, type DeliveryFigures } from './delivery/deliveryFigures.ts';
import type { SenderHealth } from './delivery/senderHealth.ts';

/** Adds the notifications to the figures of the gateway. */
export function registerNotifyMetrics(
  registry: Registry,
  {
    figures,
    health,
    plannedCount,
  }: {
    readonly figures: DeliveryFigures;
    readonly health: Pick<SenderHealth, 'failing'>;
    readonly plannedCount: () => number;
  },
): void {
  const registers = [registry];
  new Counter({
    name: 'fleetglass_notifications_planned_total',
    help: 'Notifications of events that began since the start; those of one digest are sent together',
    registers,
    collect() {
      this.reset();
      this.inc(plannedCount());
    },
  });
  new Counter({
    name: 'fleetglass_notifications_total',
    help: 'Attempts to send notifications since the start, and notifications that were given up or canceled, by what became of them',
    labelNames: ['kind', 'outcome'],
    registers,
    collect() {
      this.reset();
      for (const kind of SENDER_KINDS) {
        for (const outcome of DELIVERY_OUTCOMES) this.inc({ kind, outcome }, figures.count(kind, outcome));
      }
    },
  });
  new Gauge({
    name: 'fleetglass_notifications_waiting',
    help: 'Notifications that wait for their time or for another attempt, counted each minute',
    registers,
    collect() {
      this.set(figures.waiting);
    },
  });
  new Gauge({
    name: 'fleetglass_notification_senders_failing',
    help: 'Senders that keep failing',
    registers,
    collect() {
      this.set(health.failing.size);
    },
  });
  const delay = new Histogram({
    name: 'fleetglass_notification_delay_seconds',
    help: 'Time from when a notification was due until it was sent',
    buckets: [0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 1_800, 3_600, 86_400],
    registers,
  });
  figures.onSent((seconds) => delay.observe(seconds));
}
