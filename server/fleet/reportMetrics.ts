import { Counter, Gauge, type Registry } from 'prom-client';
import type { ReportRetention } from './reportRetention.ts';

/** Adds what is deleted of positions, and what is left to do, to the figures of the gateway. */
export function registerReportMetrics(registry: Registry, retention: ReportRetention): void {
  const registers = [registry];
  new Counter({
    name: 'fleetglass_positions_deleted_total',
    help: 'Positions deleted by age or with their device',
    registers,
    collect() {
      this.reset();
      this.inc(retention.deletedPositions);
    },
  });
  new Gauge({
    name: 'fleetglass_positions_deleted_devices',
    help: 'Deleted devices whose positions are still to be deleted',
    registers,
    collect() {
      this.set(retention.endedDevices);
    },
  });
}
