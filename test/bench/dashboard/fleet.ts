// A fleet that moves, without terminals: what the board would hand on.
import { differenceOf } from '../../../server/fleet/deviceRow.ts';
import type { BoardChange } from '../../../server/fleet/fleetBoard.ts';
import { type LiveDevice, NO_ALARM } from '../../../shared/protocol/api/liveUpdates.ts';

const GROUP = 1;
/** Around Taiwan's west coast. */
const PLACE = { lat: 23.9, lng: 120.7, spreadLat: 1.4, spreadLng: 0.6 };
const STEP_DEGREES = 0.000_15;

/** Every device moves at every turn, and shows the turn's number as its speed: what a page shows can be dated by it. */
export class MovingFleet {
  #rows: LiveDevice[];
  #turn = 0;
  readonly turnedAtMs = new Map<number, number>();

  constructor(count: number) {
    this.#rows = Array.from({ length: count }, (_, at) => deviceAt(at));
  }

  get rows(): readonly LiveDevice[] {
    return this.#rows;
  }

  drain(): BoardChange[] {
    this.#turn++;
    this.turnedAtMs.set(this.#turn, Date.now());
    const next = this.#rows.map((before) => moved(before, this.#turn));
    const changes = next.map((after, at) => changeOf(this.#rows[at], after));
    this.#rows = next;
    return changes;
  }
}

function changeOf(before: LiveDevice | undefined, after: LiveDevice): BoardChange {
  return { before, after, difference: before === undefined ? undefined : differenceOf(before, after) };
}

function moved(device: LiveDevice, turn: number): LiveDevice {
  const heading = device.heading ?? 0;
  const angle = (heading * Math.PI) / 180;
  return {
    ...device,
    at: device.at + 1_000,
    seenAt: device.seenAt + 1_000,
    lat: (device.lat ?? 0) + STEP_DEGREES * Math.cos(angle),
    lng: (device.lng ?? 0) + STEP_DEGREES * Math.sin(angle),
    speedKmh: turn,
    heading: (heading + 3) % 360,
  };
}

function deviceAt(at: number): LiveDevice {
  // Spread by the golden ratio: even, and the same at every run.
  const share = (at * 0.618_033_988_75) % 1;
  const other = (at * 0.754_877_666_25) % 1;
  const nowMs = Date.now();
  return {
    id: `BUS${at}`,
    name: `Bus ${at}`,
    plate: `KAA-${at}`,
    terminal: `1390${at}`,
    group: GROUP,
    groupName: 'All',
    chn: 4,
    state: 'online',
    isMoving: true,
    ...(at % 200 === 0
      ? { inAlarm: true, alarmType: 'speeding', alarmSeverity: 'major', alarmSince: nowMs }
      : NO_ALARM),
    videoLoss: at % 90 === 0,
    at: nowMs,
    seenAt: nowMs,
    speedKmh: 0,
    heading: (at * 37) % 360,
    lat: PLACE.lat + (share - 0.5) * 2 * PLACE.spreadLat,
    lng: PLACE.lng + (other - 0.5) * 2 * PLACE.spreadLng,
  };
}
