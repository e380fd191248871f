// The devices that this browser has last looked at, across visits.
import { MAX_TRACK_DEVICES } from '../../../../shared/protocol/api/tracks/track.ts';

const KEY = 'gpsplayback.recent';

/** The latest first. */
export function recentDevices(): readonly string[] {
  try {
    const known: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(known) ? known.filter((id) => typeof id === 'string').slice(0, MAX_TRACK_DEVICES) : [];
  } catch {
    return []; // storage that is off, or holds something else
  }
}

export function rememberDevice(deviceId: string): void {
  const others = recentDevices().filter((id) => id !== deviceId);
  try {
    localStorage.setItem(KEY, JSON.stringify([deviceId, ...others].slice(0, MAX_TRACK_DEVICES)));
  } catch {
    // Without storage nothing is remembered, and nothing else is missing.
  }
}
