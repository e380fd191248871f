import type { EventIcon } from '../../../shared/protocol/api/eventTypes.ts';
import type { BuiltInCode } from '../../../shared/protocol/events/builtInTypes.ts';

/** Types with a more specific icon than that of their category. */
const TYPES_BY_ICON: Readonly<Partial<Record<EventIcon, readonly BuiltInCode[]>>> = {
  sos: ['emergency', 'robbery'],
  collision: ['collision', 'collision-warning', 'rollover-warning', 'forward-collision'],
  speed: [
    'speeding',
    'speeding-warning',
    'sign-limit',
    'area-speeding',
    'speed-sensor-fault',
    'harsh-acceleration',
    'harsh-braking',
    'over-revving',
  ],
  fatigue: ['fatigue', 'fatigue-warning'],
  phone: ['phone-use'],
  smoking: ['smoking'],
  lane: ['lane-departure', 'frequent-lane-changes', 'harsh-cornering'],
  vehicle: [
    'following-too-close',
    'blind-spot-rear',
    'blind-spot-left',
    'blind-spot-right',
    'right-turn-blind-spot',
    'unauthorized-movement',
    'theft',
    'dangerous-driving',
    'danger-warning',
    'driving-violation',
    'coasting',
  ],
  pedestrian: ['pedestrian-warning'],
  camera: ['adas-snapshot', 'dsm-snapshot', 'distance-picture', 'adas-fault', 'dsm-fault'],
  storage: [
    'storage-fault',
    'alarm-recording-full',
    'not-recorded',
    'disk-full',
    'disk-missing',
    'disk-failing',
    'server-disk-problem',
  ],
  power: ['power-low', 'power-lost'],
  gnss: ['gnss-fault', 'gnss-antenna-open', 'gnss-antenna-short', 'no-fix'],
  fuel: ['fuel-abnormal', 'fuel-drop', 'refueling'],
  temperature: ['cabin-temperature'],
  ignition: ['ignition-on', 'ignition-off', 'idling', 'stalling', 'unauthorized-ignition'],
  door: ['door-opened', 'door-closed', 'unauthorized-door'],
  parking: ['parked-too-long', 'fence-parked'],
  clock: [
    'forbidden-hours',
    'driving-time',
    'continuous-driving',
    'wrong-clock',
    'section-time',
    'fence-inside-long',
    'fence-outside-long',
  ],
  offline: ['offline'],
  route: ['route-crossed', 'off-route', 'fence-wrong-direction'],
  passengers: ['passenger-overload'],
  device: ['unknown-terminal', 'identity-changed'],
  flag: ['sign-recognized', 'obstacle-warning'],
};

/** Icon by code; undefined: that of the category. */
export const ICON_OF_TYPE: Readonly<Partial<Record<string, EventIcon>>> = Object.fromEntries(
  Object.entries(TYPES_BY_ICON).flatMap(([icon, codes]) => codes.map((code) => [code, icon as EventIcon])),
);
