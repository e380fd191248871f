// The event types that every installation has. The names are English, and the keys of their translations (EventTypes.json); an
// administrator may rename a type, change its severity, or disable it, but not delete it. Codes and not numbers name types in events, lists
// and addresses, so that these mean the same on every gateway.
import type { EventCategory, EventUnit, Severity } from './eventWords.ts';

export interface BuiltInType {
  readonly name: string;
  readonly category: EventCategory;
  readonly severity: Severity;
  /** Left out: the device as a whole. */
  readonly unit?: Exclude<EventUnit, 'none'>;
  /** The gateway can find it by itself, with a rule; other types are only reported by terminals. */
  readonly hasRule?: true;
  /** Only raised once an administrator enables it: frequent, and of use to some fleets alone. */
  readonly isOffAtFirst?: true;
}

const SAFETY = {
  emergency: { name: 'Emergency (SOS)', category: 'safety', severity: 'critical' },
  collision: { name: 'Collision', category: 'safety', severity: 'critical' },
  'collision-warning': { name: 'Collision warning', category: 'safety', severity: 'major' },
  'rollover-warning': { name: 'Rollover warning', category: 'safety', severity: 'critical' },
  robbery: { name: 'Robbery', category: 'safety', severity: 'critical' },
  theft: { name: 'Vehicle theft', category: 'safety', severity: 'critical' },
  'danger-warning': { name: 'Danger warning', category: 'safety', severity: 'major' },
  'dangerous-driving': { name: 'Dangerous driving', category: 'safety', severity: 'major' },
  speeding: { name: 'Speeding', category: 'safety', severity: 'major', hasRule: true },
  'speeding-warning': { name: 'Speeding warning', category: 'safety', severity: 'minor' },
  'driving-violation': { name: 'Driving violation', category: 'safety', severity: 'major' },
  'right-turn-blind-spot': { name: 'Right-turn blind spot', category: 'safety', severity: 'minor' },
  'unauthorized-ignition': { name: 'Unauthorized ignition', category: 'safety', severity: 'major' },
  'unauthorized-movement': { name: 'Unauthorized movement', category: 'safety', severity: 'major', hasRule: true },
  'unauthorized-door': { name: 'Unauthorized door opening', category: 'safety', severity: 'major' },
  'harsh-acceleration': { name: 'Harsh acceleration', category: 'safety', severity: 'minor', hasRule: true },
  'harsh-braking': { name: 'Harsh braking', category: 'safety', severity: 'minor', hasRule: true },
  'harsh-cornering': { name: 'Harsh cornering', category: 'safety', severity: 'minor' },
  'forbidden-hours': { name: 'Driving in forbidden hours', category: 'safety', severity: 'major', hasRule: true },
  'passenger-overload': { name: 'Too many passengers', category: 'safety', severity: 'minor', hasRule: true },
} as const satisfies Record<string, BuiltInType>;

const ADAS = {
  'forward-collision': { name: 'Forward collision warning', category: 'adas', severity: 'major' },
  'lane-departure': { name: 'Lane departure', category: 'adas', severity: 'minor' },
  'following-too-close': { name: 'Following too close', category: 'adas', severity: 'minor' },
  'pedestrian-warning': { name: 'Pedestrian warning', category: 'adas', severity: 'major' },
  'frequent-lane-changes': { name: 'Frequent lane changes', category: 'adas', severity: 'minor' },
  'sign-limit': { name: 'Sign limit exceeded', category: 'adas', severity: 'minor' },
  'obstacle-warning': { name: 'Obstacle warning', category: 'adas', severity: 'minor' },
  'adas-fault': { name: 'ADAS fault', category: 'adas', severity: 'minor' },
  'sign-recognized': { name: 'Traffic sign recognized', category: 'adas', severity: 'info', isOffAtFirst: true },
  'adas-snapshot': { name: 'ADAS snapshot', category: 'adas', severity: 'info', isOffAtFirst: true },
  'blind-spot-rear': { name: 'Vehicle approaching from behind', category: 'adas', severity: 'minor' },
  'blind-spot-left': { name: 'Vehicle in the left blind spot', category: 'adas', severity: 'minor' },
  'blind-spot-right': { name: 'Vehicle in the right blind spot', category: 'adas', severity: 'minor' },
} as const satisfies Record<string, BuiltInType>;

const DRIVER = {
  fatigue: { name: 'Fatigue', category: 'driver', severity: 'major' },
  'fatigue-warning': { name: 'Fatigue warning', category: 'driver', severity: 'minor' },
  'phone-use': { name: 'Phone use', category: 'driver', severity: 'major' },
  smoking: { name: 'Smoking', category: 'driver', severity: 'minor' },
  distraction: { name: 'Distraction', category: 'driver', severity: 'major' },
  'driver-abnormal': { name: 'Driver not detected', category: 'driver', severity: 'major' },
  'hands-off-wheel': { name: 'Hands off the wheel', category: 'driver', severity: 'minor' },
  'abnormal-driving': { name: 'Abnormal driving', category: 'driver', severity: 'minor' },
  'dsm-fault': { name: 'DSM fault', category: 'driver', severity: 'minor' },
  'dsm-snapshot': { name: 'DSM snapshot', category: 'driver', severity: 'info', isOffAtFirst: true },
  'driver-change': { name: 'Driver change', category: 'driver', severity: 'info' },
  'driving-time': { name: 'Daily driving limit exceeded', category: 'driver', severity: 'major' },
  'continuous-driving': { name: 'Driving too long without rest', category: 'driver', severity: 'major', hasRule: true },
  'no-driver-card': {
    name: 'Driving without driver card',
    category: 'driver',
    severity: 'minor',
    hasRule: true,
    isOffAtFirst: true,
  },
} as const satisfies Record<string, BuiltInType>;

const TIRES = {
  'tire-pressure': { name: 'Tire pressure warning', category: 'tires', severity: 'minor', unit: 'tire' },
} as const satisfies Record<string, BuiltInType>;

const VIDEO = {
  'video-loss': { name: 'Video loss', category: 'video', severity: 'major', unit: 'channel', hasRule: true },
  'video-covered': { name: 'Camera covered', category: 'video', severity: 'major', unit: 'channel' },
  'video-fault': { name: 'Video fault', category: 'video', severity: 'minor' },
  'camera-fault': { name: 'Camera fault', category: 'video', severity: 'major' },
  'storage-fault': { name: 'Storage fault', category: 'video', severity: 'major', unit: 'storage', hasRule: true },
  'alarm-recording-full': { name: 'Alarm recordings almost full', category: 'video', severity: 'minor' },
  'not-recorded': { name: 'Not recorded', category: 'video', severity: 'major', unit: 'channel', hasRule: true },
} as const satisfies Record<string, BuiltInType>;

const DEVICE = {
  'gnss-fault': { name: 'GNSS module fault', category: 'device', severity: 'minor' },
  'gnss-antenna-open': { name: 'GNSS antenna disconnected', category: 'device', severity: 'minor' },
  'gnss-antenna-short': { name: 'GNSS antenna short circuit', category: 'device', severity: 'minor' },
  'no-fix': { name: 'No GNSS fix', category: 'device', severity: 'minor', hasRule: true },
  'power-low': { name: 'Low main power voltage', category: 'device', severity: 'minor' },
  'power-lost': { name: 'Main power lost', category: 'device', severity: 'major' },
  'display-fault': { name: 'Display fault', category: 'device', severity: 'info' },
  'voice-fault': { name: 'Voice module fault', category: 'device', severity: 'info' },
  'card-reader-fault': { name: 'Card reader fault', category: 'device', severity: 'info' },
  'speed-sensor-fault': { name: 'Speed sensor fault', category: 'device', severity: 'minor' },
  'fuel-abnormal': { name: 'Abnormal fuel level', category: 'device', severity: 'major' },
  'fuel-drop': { name: 'Fuel drop', category: 'device', severity: 'major', hasRule: true },
  refueling: { name: 'Refueling', category: 'device', severity: 'info', hasRule: true },
  'cabin-temperature': {
    name: 'Cabin temperature',
    category: 'device',
    severity: 'minor',
    hasRule: true,
    isOffAtFirst: true,
  },
  'ignition-on': { name: 'Ignition on', category: 'device', severity: 'info', hasRule: true, isOffAtFirst: true },
  'ignition-off': { name: 'Ignition off', category: 'device', severity: 'info', hasRule: true, isOffAtFirst: true },
  idling: { name: 'Idling', category: 'device', severity: 'info', hasRule: true },
  stalling: { name: 'Engine stalled', category: 'device', severity: 'info' },
  coasting: { name: 'Coasting out of gear', category: 'device', severity: 'info' },
  'over-revving': { name: 'Engine over-revving', category: 'device', severity: 'info' },
  'parked-too-long': { name: 'Parked too long', category: 'device', severity: 'minor', hasRule: true },
  offline: { name: 'Offline too long', category: 'device', severity: 'minor', hasRule: true, isOffAtFirst: true },
  'wrong-clock': { name: 'Wrong clock', category: 'device', severity: 'minor', hasRule: true },
  'door-opened': { name: 'Door opened', category: 'device', severity: 'info', isOffAtFirst: true },
  'door-closed': { name: 'Door closed', category: 'device', severity: 'info', isOffAtFirst: true },
  'firmware-failed': { name: 'Firmware update failed', category: 'device', severity: 'major' },
  'data-plan-level': { name: 'Data plan usage', category: 'device', severity: 'minor' },
  'data-plan-forecast': { name: 'Data plan forecast exceeded', category: 'device', severity: 'info' },
  'distance-picture': { name: 'Snapshot by distance', category: 'device', severity: 'info', isOffAtFirst: true },
} as const satisfies Record<string, BuiltInType>;

const FENCE = {
  'area-crossed': { name: 'Geofence entered or exited', category: 'fence', severity: 'minor' },
  'route-crossed': { name: 'Route entered or exited', category: 'fence', severity: 'minor' },
  'section-time': { name: 'Section time out of range', category: 'fence', severity: 'minor' },
  'off-route': { name: 'Off route', category: 'fence', severity: 'minor' },
  'area-speeding': { name: 'Speeding in a geofence', category: 'fence', severity: 'major' },
  'fence-entered': { name: 'Entered a geofence', category: 'fence', severity: 'info' },
  'fence-left': { name: 'Left a geofence', category: 'fence', severity: 'info' },
  'fence-inside-long': { name: 'Too long in a geofence', category: 'fence', severity: 'minor' },
  'fence-outside-long': { name: 'Too long outside a geofence', category: 'fence', severity: 'minor' },
  'fence-parked': { name: 'Parked in a geofence', category: 'fence', severity: 'minor' },
  'fence-wrong-direction': { name: 'Wrong direction in a geofence', category: 'fence', severity: 'major' },
} as const satisfies Record<string, BuiltInType>;

/** Events of the gateway itself; those without a device are for members with `system`. */
const SYSTEM = {
  'gateway-started': { name: 'Server started', category: 'system', severity: 'info' },
  'disk-full': { name: 'Recording disk full', category: 'system', severity: 'critical' },
  'disk-missing': { name: 'Recording disk not found', category: 'system', severity: 'critical' },
  'disk-failing': { name: 'Recording disk failing', category: 'system', severity: 'critical' },
  'unknown-terminal': { name: 'Unknown terminal', category: 'system', severity: 'minor' },
  'identity-changed': { name: 'Terminal with another identity', category: 'system', severity: 'major' },
  'sender-failing': { name: 'Notification sender failing', category: 'system', severity: 'major' },
  'firmware-task-stopped': { name: 'Firmware task stopped', category: 'system', severity: 'major' },
  'license-expiring': { name: 'License expiring', category: 'system', severity: 'minor' },
  'license-expired': { name: 'License expired', category: 'system', severity: 'major' },
  'port-closed': { name: 'Server port closed', category: 'system', severity: 'critical' },
  'certificate-expiring': { name: 'Certificate expiring', category: 'system', severity: 'major' },
  'server-disk-problem': { name: 'Server disk problem', category: 'system', severity: 'critical' },
  'database-too-large': { name: 'Database too large', category: 'system', severity: 'minor' },
  'processing-delayed': { name: 'Processing delayed', category: 'system', severity: 'major' },
  'server-overloaded': { name: 'Server overloaded', category: 'system', severity: 'major' },
  'backup-problem': { name: 'Backup problem', category: 'system', severity: 'major' },
} as const satisfies Record<string, BuiltInType>;

export const BUILT_IN_TYPES = {
  ...SAFETY,
  ...ADAS,
  ...DRIVER,
  ...TIRES,
  ...VIDEO,
  ...DEVICE,
  ...FENCE,
  ...SYSTEM,
} as const satisfies Record<string, BuiltInType>;

export type BuiltInCode = keyof typeof BUILT_IN_TYPES;

export const BUILT_IN_CODES = Object.keys(BUILT_IN_TYPES) as readonly BuiltInCode[];

/** Undefined for a type that an administrator made, and for one that only a later gateway knows. */
export function builtInType(code: string): BuiltInType | undefined {
  return Object.hasOwn(BUILT_IN_TYPES, code) ? BUILT_IN_TYPES[code as BuiltInCode] : undefined;
}
