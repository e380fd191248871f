// Vehicles that stand away from a place until they are told to drive to it.
import { LAP_MS, routeAt } from '../../../../simulator/route.ts';
import type { ScriptStep } from '../../../../simulator/script/vehicleScript.ts';
import { SimulatedTerminal } from '../../../../simulator/terminal.ts';
import type { VehicleProfile } from '../../../../simulator/vehicleProfile.ts';

/** From where the vehicles wait, they see nothing of what is drawn around the place they come to. */
const AWAY_METERS = 250;
const SOONEST_MS = 30_000;
const METERS_A_DEGREE = 111_195;

/** The vehicle stands until it is told to drive on. */
export class WaitingVehicle {
  readonly #script: ScriptStep[] = [{ kind: 'pace', pace: 0, atSeconds: 0, rampSeconds: 0 }];
  readonly #startedMs = Date.now();
  readonly #terminal: SimulatedTerminal;

  constructor(profile: VehicleProfile, port: number) {
    this.#terminal = new SimulatedTerminal({
      profile: { ...profile, script: this.#script },
      gateway: { host: '127.0.0.1', port },
    });
    this.#terminal.start();
  }

  driveOn(): void {
    const forSeconds = (Date.now() - this.#startedMs) / 1_000;
    this.#script[0] = { kind: 'pace', pace: 0, atSeconds: 0, rampSeconds: 0, forSeconds };
    this.#script.push({ kind: 'pace', pace: 2, atSeconds: forSeconds, rampSeconds: 0 });
  }

  stop(): void {
    this.#terminal.stop();
  }
}

export interface Departure {
  readonly fromMs: number;
  readonly place: readonly [lng: number, lat: number];
}

/** Where on the lap a vehicle gets far away soonest, and where it is then. */
export function soonestAway(): Departure {
  for (let fromMs = 0; fromMs < LAP_MS; fromMs += 10_000) {
    const [from, to] = [routeAt(fromMs, 0), routeAt(fromMs + SOONEST_MS, 0)];
    const north = (to.latitude - from.latitude) * METERS_A_DEGREE;
    const east = (to.longitude - from.longitude) * METERS_A_DEGREE * Math.cos((to.latitude * Math.PI) / 180);
    if (Math.hypot(north, east) > AWAY_METERS) return { fromMs, place: [to.longitude, to.latitude] };
  }
  throw new Error('the vehicle never gets away');
}

/** The share of the lap at which a vehicle that starts now stands there. */
export function lapShareFrom({ fromMs }: Departure): number {
  return ((((fromMs - Date.now()) % LAP_MS) + LAP_MS) % LAP_MS) / LAP_MS;
}
