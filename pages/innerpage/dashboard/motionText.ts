// How fast a device drives, and where to, as far as its terminal knows it. Pure.
import type { LiveDevice } from '../../../shared/protocol/api/liveUpdates.ts';

export function speedText({ speedKmh }: Pick<LiveDevice, 'speedKmh'>): string {
  return speedKmh === null ? '–' : `${Math.round(speedKmh)} km/h`;
}

export function motionText({ speedKmh, heading }: Pick<LiveDevice, 'speedKmh' | 'heading'>): string {
  const speed = speedText({ speedKmh });
  return heading === null ? speed : `${speed} · ${Math.round(heading)}°`;
}
