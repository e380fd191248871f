// 0x0800: the terminal has taken a picture on its own, and says why.
import type { BodyOf } from '../../device/jt808/codec/message.ts';
import { Origin, type Signal } from './signal.ts';

/**
 * Types by the message's event code. Pictures with other codes belong to no event: 0 was commanded, 1 belongs to a timer, and 6 is taken
 * of a vehicle that has closed its door and drives off.
 */
const TYPES: ReadonlyMap<number, string> = new Map([
  [2, 'robbery'],
  [3, 'collision'],
  [4, 'door-opened'],
  [5, 'door-closed'],
  [7, 'distance-picture'],
]);

export function mediaSignals({ event }: Pick<BodyOf<'mediaEvent'>, 'event'>): Signal[] {
  const type = TYPES.get(event);
  return type === undefined ? [] : [{ type, unit: 0, area: 0, form: 'momentary', origin: Origin.Media }];
}
