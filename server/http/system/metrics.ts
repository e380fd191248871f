// Prometheus metrics: the process's own, and how long requests take by route.

import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Histogram, type Metric, Registry } from 'prom-client';
import { Type } from 'typebox';

/** Seconds. Most calls take milliseconds; a slowed sign-in takes five seconds and more. */
const BUCKETS_S = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * The registry that the parts of one gateway add their own metrics to. `ofProcess`: those that outlive a gateway which is started
 * again.
 */
export function createMetrics(ofProcess?: Registry): Registry {
  const registry = new Registry();
  for (const metric of ofProcess?.getMetricsAsArray() ?? []) registry.registerMetric(metric as unknown as Metric);
  collectDefaultMetrics({ register: registry, prefix: 'fleetglass_' });
  return registry;
}

/** `GET /metrics`, for holders of the token only. */
export async function registerMetrics(app: FastifyInstance, registry: Registry): Promise<void> {
  const durations = new Histogram({
    name: 'fleetglass_http_request_duration_seconds',
    help: 'Time from a request to the end of its answer',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: BUCKETS_S,
    registers: [registry],
  });
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? '(none)';
    const labels = { method: request.method, route, status: String(reply.statusCode) };
    durations.observe(labels, reply.elapsedTime / 1000);
    done();
  });
  const text = { content: { 'text/plain': { schema: Type.String() } } };
  const schema = { summary: 'Metrics in the text format of Prometheus', response: { 200: text } };
  app.get('/metrics', { schema, config: { access: { kind: 'metrics' } } }, async (_request, reply) => {
    return reply
      .type(registry.contentType)
      .serializer(String)
      .send(await registry.metrics());
  });
}
