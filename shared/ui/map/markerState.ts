// How a device's state is shown: one state a device, the most urgent, by colour and by shape. Pure.
import type { LiveDevice } from '../../protocol/api/liveUpdates.ts';

export const MARKER_STATES = ['alarm', 'moving', 'parked', 'offline', 'never'] as const;
export type MarkerState = (typeof MARKER_STATES)[number];

export function markerStateOf(device: LiveDevice): MarkerState {
  if (device.inAlarm) return 'alarm';
  if (device.state === 'online') return device.isMoving ? 'moving' : 'parked';
  return device.state;
}

export type MarkerColours = Readonly<Record<MarkerState, string>>;

/** Each stands out from the page and from the land of the map, and from the others by more than its hue. */
export const LIGHT_MARKERS: MarkerColours = {
  alarm: '#d32f2f',
  moving: '#16803c',
  parked: '#1a66c2',
  offline: '#6b7480',
  never: '#6b7480',
};
export const DARK_MARKERS: MarkerColours = {
  alarm: '#e5484d',
  moving: '#30a46c',
  parked: '#4a90e2',
  offline: '#98a2ae',
  never: '#98a2ae',
};

/** What a shape looks like, in a box of 24 by 24; the list and the map draw the same. */
export const MARKER_PATHS: Readonly<Record<MarkerState, string>> = {
  alarm: 'M12 2 L23 21 H1 Z',
  moving: 'M12 1.5 L20.5 21.5 L12 16.5 L3.5 21.5 Z',
  parked:
    'M6 3.5 H18 A2.5 2.5 0 0 1 20.5 6 V18 A2.5 2.5 0 0 1 18 20.5 H6 A2.5 2.5 0 0 1 3.5 18 V6 A2.5 2.5 0 0 1 6 3.5 Z',
  offline: 'M12 3 A9 9 0 1 1 11.99 3 Z M12 8 A4 4 0 1 0 12.01 8 Z',
  never: 'M12 3 A9 9 0 1 1 11.99 3 Z M12 5.5 A6.5 6.5 0 1 0 12.01 5.5 Z',
};
