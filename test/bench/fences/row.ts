// What geofences cost: on one core, beside the rules of events, and in the built gateway with terminals. Method: docs/bench.md.
import type { Row } from '../table.ts';
import type { TerminalsOptions } from '../terminals/row.ts';
import { benchFenceEngine } from './engine.ts';
import { benchGateway } from './gateway.ts';

export async function benchFences(options: TerminalsOptions): Promise<Record<string, readonly Row[]>> {
  return { ...(await benchFenceEngine(options.devices)), ...(await benchGateway(options)) };
}
