import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { MediaLoss } from '../../../../server/media/mediaLoss.ts';
import { registerMediaMetrics } from '../../../../server/media/mediaMetrics.ts';

const BUS1 = { deviceId: 'BUS1', channel: 2 };

it('is counted by kind for all, and by channel for each device', async () => {
  const loss = new MediaLoss();
  const registry = new Registry();
  registerMediaMetrics(registry, loss);
  loss.note('missing-packet', 3, BUS1);
  loss.note('missing-packet', 2, { ...BUS1, channel: 1 });
  loss.note('resync', 1, undefined);
  expect(loss.of('BUS1').map(({ channel, counts }) => [channel, counts['missing-packet'], counts.resync])).toEqual([
    [1, 2, 0],
    [2, 3, 0],
  ]);
  const text = await registry.metrics();
  expect(text).toContain('fleetglass_media_loss_total{kind="missing-packet"} 5');
  expect(text).toContain('fleetglass_media_loss_total{kind="resync"} 1');
  expect(text).toContain('fleetglass_media_loss_total{kind="viewer-group"} 0');
});

it('of a device is forgotten with it, and stays in the sum', () => {
  const loss = new MediaLoss();
  loss.note('group', 1, BUS1);
  loss.forget('BUS1');
  expect([loss.of('BUS1'), loss.totals.group]).toEqual([[], 1]);
});
