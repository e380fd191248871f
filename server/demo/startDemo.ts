// The order in which the demo opens its parts: whatever ends it, nothing of it stays behind.
import type { Gateway } from '../app/gateway.ts';
import type { ProcessGuard } from '../process/processGuard.ts';
import type { SimulatedTerminal } from './terminal.ts';

export interface DemoParts<Served extends Pick<Gateway, 'close'>> {
  readonly guard: Pick<ProcessGuard, 'closeBy'>;
  readonly start: () => Promise<Served>;
  /** Adds accounts, devices and links; gives the lines that tell the user of them. */
  readonly fill: (gateway: Served) => Promise<readonly string[]>;
  readonly createVehicles: (gateway: Served) => Promise<readonly Pick<SimulatedTerminal, 'start' | 'stop'>[]>;
  /** Removes what the gateway has written, which must be closed. */
  readonly removeFolder: () => void;
}

/** Resolves with the lines once the vehicles dial in. */
export async function startDemo<Served extends Pick<Gateway, 'close'>>(
  parts: DemoParts<Served>,
): Promise<readonly string[]> {
  const gateway = await parts.start();
  let vehicles: readonly Pick<SimulatedTerminal, 'start' | 'stop'>[] = [];
  const close = async (): Promise<void> => {
    for (const vehicle of vehicles) vehicle.stop();
    await gateway.close();
    parts.removeFolder();
  };
  parts.guard.closeBy(close);
  try {
    const lines = await parts.fill(gateway);
    vehicles = await parts.createVehicles(gateway);
    for (const vehicle of vehicles) vehicle.start();
    return lines;
  } catch (error) {
    // A gateway whose accounts nobody was told of must not stay behind.
    await close();
    throw error;
  }
}
