// What the calls about tracks answer, for tests of what shows it.
import type {
  TrackChart,
  TrackEvent,
  TrackLine,
  TrackPoint,
  TrackStop,
  TrackSummary,
  Trip,
} from '../../shared/protocol/api/tracks/track.ts';
import type { WallMs } from '../../shared/protocol/time.ts';

/** A value as it comes over the network, where a moment is a number like any other. */
type Plain<Value> = Value extends WallMs
  ? number
  : Value extends readonly (infer Item)[]
    ? readonly Plain<Item>[]
    : Value extends object
      ? { readonly [Name in keyof Value]: Plain<Value[Name]> }
      : Value;
type Part<Value> = Partial<Plain<Value>>;

const MINUTE_MS = 60_000;

export function trip(part: Part<Trip> = {}): Trip {
  const plain = {
    id: 1,
    driver: 'Lin',
    fromMs: 0,
    toMs: 10 * MINUTE_MS,
    isOpen: false,
    clockOffsetMs: 0,
    fromLat: 25,
    fromLng: 121,
    toLat: 25.1,
    toLng: 121.1,
    fromPlace: 'Depot',
    toPlace: '',
    metres: 12_340,
    isOdometer: true,
    odometerDiffers: false,
    movingMs: 9 * MINUTE_MS,
    idleMs: 0,
    maxSpeedKmh: 71.6,
    meanSpeedKmh: 50,
    fuelLiters: null,
    ...part,
  };
  return plain as unknown as Trip;
}

export function trackStop(part: Part<TrackStop> = {}): TrackStop {
  const plain = {
    id: 1,
    fromMs: 10 * MINUTE_MS,
    toMs: 20 * MINUTE_MS,
    isOpen: false,
    clockOffsetMs: 0,
    lat: 25.1,
    lng: 121.1,
    place: '',
    idleMs: 2 * MINUTE_MS,
    ...part,
  };
  return plain as unknown as TrackStop;
}

export function trackEvent(part: Part<TrackEvent> = {}): TrackEvent {
  const plain = {
    id: 7,
    type: 'speeding',
    severity: 'major',
    beginAtMs: 5 * MINUTE_MS,
    endAtMs: 6 * MINUTE_MS,
    lat: 25.05,
    lng: 121.05,
    hasPictures: false,
    ...part,
  };
  return plain as unknown as TrackEvent;
}

export function trackSummary(part: Part<TrackSummary> = {}): TrackSummary {
  const plain = { clock: [], trips: [], stops: [], gaps: [], events: [], recordings: [], isCut: false, ...part };
  return plain as unknown as TrackSummary;
}

/** A point every minute, to the north-east. */
export function trackLine(fromMs: number, minutes: number, part: Part<TrackLine> = {}): TrackLine {
  const at = Array.from({ length: minutes }, (_each, minute) => minute);
  const plain = {
    atMs: at.map((minute) => fromMs + minute * MINUTE_MS),
    lat: at.map((minute) => 25 + minute / 1_000),
    lng: at.map((minute) => 121 + minute / 1_000),
    speedKmh: at.map(() => 42),
    headingDeg: at.map(() => 45),
    gaps: [],
    positions: minutes,
    isCoarse: false,
    clock: [],
    ...part,
  };
  return plain as unknown as TrackLine;
}

export function trackChart(fromMs: number, stepMs: number, part: Part<TrackChart> = {}): TrackChart {
  const nothing = [null, null, null, null];
  const plain = {
    fromMs,
    stepMs,
    speedMin: [0, 20, 30, 0],
    speedMax: [10, 40, 60, 5],
    speedLimitKmh: 50,
    altitude: nothing,
    fuelLiters: [40, 39, 38, 38],
    cabinCelsius: nothing,
    ignition: [1, 1, 1, 0],
    signal: nothing,
    ...part,
  };
  return plain as unknown as TrackChart;
}

export function trackPoint(atMs: number, part: Part<TrackPoint> = {}): TrackPoint {
  const plain = {
    atMs,
    deviceTimeMs: atMs,
    receivedAtMs: atMs,
    isLate: false,
    hasFix: true,
    lat: 25,
    lng: 121,
    altitudeM: 12,
    speedKmh: 42,
    headingDeg: 90,
    ignitionOn: true,
    alarmBits: 0,
    mileageKm: null,
    fuelLiters: null,
    cabinCelsius: null,
    signal: null,
    ...part,
  };
  return plain as unknown as TrackPoint;
}
