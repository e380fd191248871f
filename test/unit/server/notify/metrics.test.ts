import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { DeliveryFigures } from '../../../../server/notify/delivery/deliveryFigures.ts';
import { registerNotifyMetrics } from '../../../../server/notify/metrics.ts';

it('notifications are counted by kind and outcome, with how many wait and how late they were sent', async () => {
  const registry = new Registry();
  const figures = new DeliveryFigures();
  registerNotifyMetrics(registry, { figures, health: { failing: new Set([3, 4]) }, plannedCount: () => 12 });
  figures.note('email', 'sent');
  figures.note('email', 'sent');
  figures.note('sms', 'canceled', 5);
  figures.sentAfter(1_500);
  figures.waiting = 9;
  const text = await registry.metrics();
  expect(text).toContain('fleetglass_notifications_total{kind="email",outcome="sent"} 2');
  expect(text).toContain('fleetglass_notifications_total{kind="sms",outcome="canceled"} 5');
  expect(text).toContain('fleetglass_notifications_waiting 9');
  expect(text).toContain('fleetglass_notifications_planned_total 12');
  expect(text).toContain('fleetglass_notification_senders_failing 2');
  expect(text).toContain('fleetglass_notification_delay_seconds_sum 1.5');
});
