import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { createMetrics } from '../../../../server/http/system/metrics.ts';
import { metricLines } from '../../../../server/support/metricLines.ts';
import { Pseudonyms } from '../../../../server/support/pseudonyms.ts';

const pseudonyms = new Pseudonyms(new Uint8Array(32));

async function linesOf(registry: Registry): Promise<readonly string[]> {
  return metricLines(await registry.getMetricsAsJSON(), pseudonyms);
}

it('has the values of our metrics as Prometheus reads them', async () => {
  const registers = [new Registry()];
  const [registry = new Registry()] = registers;
  new Counter({ name: 'fleetglass_a_total', help: 'a', labelNames: ['kind'], registers }).inc({ kind: 'push' }, 2);
  new Histogram({ name: 'fleetglass_b', help: 'b', labelNames: ['route'], buckets: [1], registers }).observe(
    { route: '/api/x/:id' },
    0.5,
  );
  expect(await linesOf(registry)).toEqual([
    'fleetglass_a_total{kind="push"} 2',
    'fleetglass_b_bucket{le="1",route="/api/x/:id"} 1',
    'fleetglass_b_bucket{le="+Inf",route="/api/x/:id"} 1',
    'fleetglass_b_sum{route="/api/x/:id"} 0.5',
    'fleetglass_b_count{route="/api/x/:id"} 1',
  ]);
});

it('leaves out what others have registered, and replaces labels that are not ours', async () => {
  const registers = [new Registry()];
  const [registry = new Registry()] = registers;
  new Gauge({ name: 'mei_private', help: 'x', registers }).set(1);
  new Gauge({ name: 'fleetglass_c', help: 'c', labelNames: ['plate', 'kind'], registers }).set(
    { plate: 'ABC-1234', kind: '林美' },
    3,
  );
  const [plate, kind] = [pseudonyms.of('text', 'ABC-1234'), pseudonyms.of('text', '林美')];
  expect(await linesOf(registry)).toEqual([`fleetglass_c{plate="${plate}",kind="${kind}"} 3`]);
});

it('replaces nothing of the metrics of a process', async () => {
  const lines = await linesOf(createMetrics());
  expect(lines.length).toBeGreaterThan(20);
  expect(lines.filter((line) => line.includes('text-'))).toEqual([]);
});
