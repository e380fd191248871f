// The map's colors in both schemes of the page.
import { DARK_MARKERS, LIGHT_MARKERS, type MarkerColours } from './markerState.ts';
import { DARK_STREETS, LIGHT_STREETS, type StreetColours } from './streets/streetColours.ts';

export interface MapScheme {
  readonly sea: string;
  readonly land: string;
  readonly border: string;
  /** Color of device names, and the halo that keeps them readable on any ground. */
  readonly text: string;
  readonly halo: string;
  /** Around the selected device. */
  readonly ring: string;
  readonly markers: MarkerColours;
  readonly streets: StreetColours;
}

export const LIGHT_MAP: MapScheme = {
  sea: '#d4e1ec',
  land: '#f4f3ee',
  border: '#b5bac0',
  text: '#1b232d',
  halo: '#ffffff',
  ring: '#1a5fb4',
  markers: LIGHT_MARKERS,
  streets: LIGHT_STREETS,
};
export const DARK_MAP: MapScheme = {
  sea: '#161d26',
  land: '#2a323c',
  border: '#4b5663',
  text: '#eef2f6',
  halo: '#10151b',
  ring: '#7db4f5',
  markers: DARK_MARKERS,
  streets: DARK_STREETS,
};
