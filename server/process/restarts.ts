import { Gauge, type Registry } from 'prom-client';

/** Set by `npm start` and `npm run demo` for the gateway that they start: how often they had to after a fault. */
const VARIABLE = 'FLEETGLASS_RESTARTS';

/** A counter inside the process begins anew with it; this one is its parent's. */
export function countRestarts(metrics: Registry, environment: Readonly<Record<string, string | undefined>>): void {
  const restarts = new Gauge({
    name: 'fleetglass_restarts',
    help: 'How often the gateway was started again after a fault, since the command that runs it was called',
    registers: [metrics],
  });
  restarts.set(Number(environment[VARIABLE] ?? 0) || 0);
}
