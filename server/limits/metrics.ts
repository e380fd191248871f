import { Counter, type Registry } from 'prom-client';
import type { OnLimit } from './limit.ts';

/** Counts how often each limit was reached, by its name. */
export function createLimitMetric(registry: Registry): OnLimit {
  const reached = new Counter({
    name: 'fleetglass_limit_reached_total',
    help: 'How often something was refused, cut or left out at a limit, by the name of the limit',
    labelNames: ['limit'] as const,
    registers: [registry],
  });
  return ({ name }) => reached.inc({ limit: name });
}
