// Drives one device through fences, position after position, and notes what is said and written of it.

import type { Signal } from '../../../../../server/events/signals/signal.ts';
import type { FenceSet } from '../../../../../server/fences/directory/fenceSet.ts';
import { DeviceFences } from '../../../../../server/fences/engine/deviceFences.ts';
import type { FencePoint } from '../../../../../server/fences/engine/fencePoint.ts';
import type { FenceMovement } from '../../../../../server/store/fences/fenceMovements.ts';

export const START_MS = Date.UTC(2026, 10, 23, 8);

export interface Where {
  readonly lat?: number;
  readonly lng?: number;
  readonly kmh?: number;
  readonly heading?: number;
  readonly hasFix?: boolean;
  readonly isLate?: boolean;
  /** How far the device's clock is ahead. */
  readonly clockMs?: number;
}

/** In the middle of the square, well outside it, and 10 meters within and without its western border. */
export const INSIDE = { lat: 24.005, lng: 120.505 };
export const OUTSIDE = { lat: 24.005, lng: 120.495 };
export const JUST_INSIDE = { lat: 24.005, lng: 120.500_1 };
export const JUST_OUTSIDE = { lat: 24.005, lng: 120.499_9 };

export class Drive {
  set: FenceSet;
  readonly movements: FenceMovement[] = [];
  readonly limits: string[] = [];
  readonly fences: DeviceFences;

  constructor(set: FenceSet) {
    this.set = set;
    const place = set.placeOf(7);
    if (place === undefined) throw new Error('no device');
    this.fences = new DeviceFences(place, {
      write: (movement) => this.movements.push(movement),
      onLimit: ({ name }) => this.limits.push(name),
    });
  }

  /** Seconds after the start. What it says: `type` or `type begin` and so on. */
  at(seconds: number, where: Where): string[] {
    return said(this.signalsAt(seconds, where));
  }

  signalsAt(seconds: number, where: Where): readonly Signal[] {
    return this.fences.evaluate(pointAt(seconds, where), this.set);
  }

  tick(seconds: number): string[] {
    return said(this.fences.tick(START_MS + seconds * 1_000, this.set));
  }

  use(set: FenceSet): string[] {
    this.set = set;
    return said(this.fences.use(set));
  }

  endLate(seconds: number): string[] {
    return said(this.fences.endLate(START_MS + seconds * 1_000)?.signals ?? []);
  }

  /** Such as `open 0` or `close 30`: seconds after the start. */
  get visits(): string[] {
    return this.movements.flatMap((movement) => {
      const { kind } = movement;
      if (kind === 'state' || kind === 'forget') return [];
      if (kind === 'close') return [`close ${seconds(movement.toMs)}`];
      const from = `${kind} ${seconds(movement.fromMs)}`;
      return kind === 'open' || kind === 'began' ? [from] : [`${from} to ${seconds(movement.toMs)}`];
    });
  }
}

export function pointAt(secondsLater: number, where: Where): FencePoint {
  const { lat = 24, lng = 120, kmh = 50, heading = 90, hasFix = true, isLate = false, clockMs = 0 } = where;
  const gatewayMs = START_MS + secondsLater * 1_000;
  const deviceMs = gatewayMs + clockMs;
  return {
    atMs: isLate ? deviceMs : gatewayMs,
    deviceMs,
    receivedAtMs: gatewayMs,
    isLate,
    hasFix,
    latitude: lat,
    longitude: lng,
    headingDeg: heading,
    speedKmh: kmh,
    motion: kmh >= 5 ? 'moving' : 'still',
  };
}

function seconds(ms: number): number {
  return (ms - START_MS) / 1_000;
}

function said(signals: readonly Signal[]): string[] {
  return signals.map(({ type, form }) => (form === 'momentary' ? type : `${type} ${form}`));
}
