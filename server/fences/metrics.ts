import { Counter, Gauge, type Registry } from 'prom-client';
import type { FenceEngine } from './engine/fenceEngine.ts';
import type { FenceWriter } from './engine/fenceWriter.ts';

/** Adds the fences to the figures of the gateway. */
export function registerFenceMetrics(
  registry: Registry,
  engine: Pick<FenceEngine, 'evaluatedCount' | 'stateCount'>,
  writer: Pick<FenceWriter, 'waitingCount'>,
): void {
  const registers = [registry];
  new Counter({
    name: 'fleetglass_fences_evaluated_total',
    help: 'Positions that geofences were compared with',
    registers,
    collect() {
      this.reset();
      this.inc(engine.evaluatedCount);
    },
  });
  new Gauge({
    name: 'fleetglass_fences_states',
    help: 'Geofences that devices are in, or watched outside of, of all devices together',
    registers,
    collect() {
      this.set(engine.stateCount);
    },
  });
  new Gauge({
    name: 'fleetglass_fences_waiting',
    help: 'Entries and exits that the database does not have yet',
    registers,
    collect() {
      this.set(writer.waitingCount);
    },
  });
}
