// What the numbers of an event count: its value and its limit.

export type ValueUnit = 'km/h' | 'km/h/s' | 's' | 'min' | 'm' | 'L' | '°C' | 'kPa' | '%' | 'r/min' | 'persons';

/** How the number is read: with its unit, or as which of two directions. Undefined for a type that has no number, or one of its own. */
export type ValueKind = ValueUnit | 'direction' | undefined;

const KINDS: Readonly<Record<string, ValueKind>> = {
  speeding: 'km/h',
  'speeding-warning': 'km/h',
  'area-speeding': 'km/h',
  'sign-limit': 'km/h',
  'sign-recognized': 'km/h',
  stalling: 'km/h',
  coasting: 'km/h',
  'harsh-acceleration': 'km/h/s',
  'harsh-braking': 'km/h/s',
  'harsh-cornering': 'km/h/s',
  // Seconds until the vehicle or the pedestrian ahead is reached.
  'forward-collision': 's',
  'following-too-close': 's',
  'pedestrian-warning': 's',
  idling: 's',
  'section-time': 's',
  'wrong-clock': 's',
  'continuous-driving': 'min',
  'fence-inside-long': 'min',
  'fence-outside-long': 'min',
  'fence-parked': 'min',
  'unauthorized-movement': 'm',
  'fuel-drop': 'L',
  refueling: 'L',
  'cabin-temperature': '°C',
  'tire-pressure': 'kPa',
  fatigue: '%',
  'data-plan-level': '%',
  'data-plan-forecast': '%',
  'over-revving': 'r/min',
  'passenger-overload': 'persons',
  // 0 entered, 1 exited.
  'area-crossed': 'direction',
  'route-crossed': 'direction',
};

export function valueKind(type: string): ValueKind {
  return Object.hasOwn(KINDS, type) ? KINDS[type] : undefined;
}
