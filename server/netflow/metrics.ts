import { Gauge, type Registry } from 'prom-client';
import type { Usage } from './usage.ts';

/** Adds data usage to the figures of the gateway. */
export function registerNetflowMetrics(registry: Registry, usage: Pick<Usage, 'heldHours'>): void {
  new Gauge({
    name: 'fleetglass_netflow_held_hours',
    help: 'Hours of devices whose data usage is in memory',
    registers: [registry],
    collect() {
      this.set(usage.heldHours);
    },
  });
}
