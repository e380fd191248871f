// What a vehicle did in the 24 hours before its terminal was started, most of it without a network: it sends them afterwards. Night in
// the depot, two shifts with their drivers, stops, a stretch above the limit, a tunnel and a detour.
import { StatusBit } from '../../server/device/jt808/codec/codes.ts';
import type { DriverCard } from '../../server/device/jt808/codec/messages/driver.ts';
import type { ScriptStep, VehicleScript } from '../script/vehicleScript.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
export const PAST_HOURS = 24;

export interface DayOptions {
  /** Everything happens so much later: no two vehicles stop together. */
  readonly laterMinutes: number;
  readonly early: DriverCard;
  readonly late: DriverCard;
  /** At the start of the first shift; a tank of so many liters is filled before the second. */
  readonly fuelLiters: number;
  readonly tankLiters: number;
}

interface Stop {
  readonly hour: number;
  readonly minutes: number;
  readonly isIdling?: true;
}

/** Hours before the start. */
const NIGHT: Stop = { hour: -22.5, minutes: 8.5 * 60 };
const STOPS: readonly Stop[] = [
  { hour: -12.5, minutes: 12 },
  { hour: -11, minutes: 8, isIdling: true },
  { hour: -9, minutes: 45 },
  { hour: -7.5, minutes: 7 },
  { hour: -6, minutes: 10, isIdling: true },
  { hour: -4, minutes: 30 },
  { hour: -2, minutes: 8 },
];
const SHIFTS = { earlyIn: -13.9, earlyOut: -9.05, lateIn: -8.2, lateOut: -0.6 } as const;
const FAST: readonly { readonly hour: number; readonly minutes: number; readonly speedKmh: number }[] = [
  { hour: -13, minutes: 3, speedKmh: 88 },
  { hour: -5, minutes: 4, speedKmh: 94 },
];
const TUNNEL = { hour: -7, minutes: 4 } as const;
const DETOUR = { hour: -3, minutes: 4, meters: 300 } as const;
const REFUELED_HOUR = -3.7;
const CABIN_CELSIUS = { from: 19, to: 27 } as const;

export function pastDay(options: DayOptions): VehicleScript {
  const later = options.laterMinutes * MINUTE;
  const at = (hour: number): number => Math.round(hour * HOUR + later);
  return [
    { kind: 'absence', atSeconds: -PAST_HOURS * HOUR, forSeconds: PAST_HOURS * HOUR },
    ...[NIGHT, ...STOPS].flatMap(({ hour, minutes, isIdling }) =>
      stop({ atSeconds: at(hour), forSeconds: minutes * MINUTE, isIdling: isIdling === true }),
    ),
    ...FAST.map(
      ({ hour, minutes, speedKmh }): ScriptStep => ({
        kind: 'speed',
        atSeconds: at(hour),
        forSeconds: minutes * MINUTE,
        speedKmh,
      }),
    ),
    { kind: 'status', atSeconds: at(TUNNEL.hour), forSeconds: TUNNEL.minutes * MINUTE, off: [StatusBit.Fixed] },
    { kind: 'detour', atSeconds: at(DETOUR.hour), forSeconds: DETOUR.minutes * MINUTE, meters: DETOUR.meters },
    ...shifts(options, at),
    ...passengers(at),
    ...gauges(options, at),
  ];
}

/** The ignition goes off once the vehicle stands, and on before it leaves, unless it idles. */
function stop({ atSeconds, forSeconds, isIdling }: StandingStop): ScriptStep[] {
  const pace: ScriptStep = { kind: 'pace', atSeconds, forSeconds, pace: 0 };
  if (isIdling) return [pace];
  const standing = { atSeconds: atSeconds + 30, forSeconds: forSeconds - MINUTE };
  return [pace, { kind: 'status', ...standing, off: [StatusBit.AccOn] }];
}

interface StandingStop {
  readonly atSeconds: number;
  readonly forSeconds: number;
  readonly isIdling: boolean;
}

function shifts({ early, late }: DayOptions, at: (hour: number) => number): ScriptStep[] {
  return [
    { kind: 'driver-card', atSeconds: at(SHIFTS.earlyIn), card: early },
    { kind: 'driver-card', atSeconds: at(SHIFTS.earlyOut) },
    { kind: 'driver-card', atSeconds: at(SHIFTS.lateIn), card: late },
    { kind: 'driver-card', atSeconds: at(SHIFTS.lateOut) },
  ];
}

/** Each half hour of both shifts; more in the morning. */
function passengers(at: (hour: number) => number): ScriptStep[] {
  const steps: ScriptStep[] = [];
  for (let hour = SHIFTS.earlyIn + 0.5; hour < SHIFTS.lateOut; hour += 0.5) {
    const isMorning = hour < -11;
    const boarded = isMorning ? 17 : 9;
    steps.push({
      kind: 'passengers',
      atSeconds: at(hour),
      overSeconds: HOUR / 2,
      boarded,
      alighted: boarded - (isMorning ? 2 : 0),
    });
  }
  return steps;
}

function gauges({ fuelLiters, tankLiters }: DayOptions, at: (hour: number) => number): ScriptStep[] {
  const fuel = { kind: 'gauge', gauge: 'fuelLitres' } as const;
  const firstHours = REFUELED_HOUR - SHIFTS.earlyIn;
  const low = fuelLiters * 0.35;
  return [
    { ...fuel, atSeconds: at(NIGHT.hour), from: fuelLiters },
    { ...fuel, atSeconds: at(SHIFTS.earlyIn), forSeconds: firstHours * HOUR, from: fuelLiters, to: low },
    { ...fuel, atSeconds: at(REFUELED_HOUR), forSeconds: 3 * MINUTE, from: low, to: tankLiters },
    {
      ...fuel,
      atSeconds: at(REFUELED_HOUR) + 3 * MINUTE,
      forSeconds: -REFUELED_HOUR * HOUR,
      from: tankLiters,
      to: tankLiters * 0.85,
    },
    {
      kind: 'gauge',
      gauge: 'cabinCelsius',
      atSeconds: at(SHIFTS.earlyIn),
      forSeconds: 6 * HOUR,
      from: CABIN_CELSIUS.from,
      to: CABIN_CELSIUS.to,
    },
  ];
}
