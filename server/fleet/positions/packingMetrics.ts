import { Counter, type Registry } from 'prom-client';
import type { PositionPacking } from './positionPacking.ts';

/** Adds what is packed of positions to the figures of the gateway. */
export function registerPackingMetrics(registry: Registry, packing: PositionPacking): void {
  const count = (name: string, help: string, value: () => number): void => {
    new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset();
        this.inc(value());
      },
    });
  };
  count('fleetglass_positions_packed_total', 'Positions moved from rows into blocks', () => packing.packedPositions);
  count('fleetglass_position_blocks_written_total', 'Blocks of positions written', () => packing.writtenBlocks);
  count('fleetglass_position_packing_failures_total', 'Devices that could not be packed', () => packing.failures);
}
