// What the sounds of events are made of. More urgent sounds are higher and longer, not louder.
import type { EventSound } from '../../protocol/api/eventTypes.ts';

export type AudibleSound = Exclude<EventSound, 'none'>;

export interface Tone {
  /** From the begin of the sound. */
  readonly atS: number;
  readonly lengthS: number;
  readonly fromHz: number;
  /** Reached at the end. */
  readonly toHz: number;
}

const steady = (atS: number, lengthS: number, hz: number): Tone => ({ atS, lengthS, fromHz: hz, toHz: hz });

export const TONES: Readonly<Record<AudibleSound, readonly Tone[]>> = {
  chime: [steady(0, 0.18, 659), steady(0.18, 0.32, 523)],
  alert: [steady(0, 0.16, 880), steady(0.24, 0.16, 880)],
  alarm: [0, 0.3, 0.6].flatMap((atS) => [steady(atS, 0.12, 988), steady(atS + 0.14, 0.12, 784)]),
  siren: [0, 0.8].flatMap((atS) => [
    { atS, lengthS: 0.4, fromHz: 650, toHz: 1300 },
    { atS: atS + 0.4, lengthS: 0.4, fromHz: 1300, toHz: 650 },
  ]),
};

export function lengthOfSound(sound: AudibleSound): number {
  return Math.max(...TONES[sound].map(({ atS, lengthS }) => atS + lengthS));
}
