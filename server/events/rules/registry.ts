// Every kind of rule, by the code of the event type that it raises. A type without its rule doesn't compile, nor does another rule.
import type { RuleCode } from '../../../shared/protocol/events/ruleSettings.ts';
import { noFix } from './device/noFix.ts';
import { offline } from './device/offline.ts';
import { wrongClock } from './device/wrongClock.ts';
import { continuousDriving } from './driving/continuousDriving.ts';
import { forbiddenHours } from './driving/forbiddenHours.ts';
import { harshAcceleration } from './driving/harshAcceleration.ts';
import { harshBraking } from './driving/harshBraking.ts';
import { noDriverCard } from './driving/noDriverCard.ts';
import { passengerOverload } from './driving/passengerOverload.ts';
import { speeding } from './driving/speeding.ts';
import { unauthorizedMovement } from './driving/unauthorizedMovement.ts';
import type { Rule } from './rule.ts';
import { cabinTemperature } from './vehicle/cabinTemperature.ts';
import { fuelDrop } from './vehicle/fuelDrop.ts';
import { idling } from './vehicle/idling.ts';
import { ignitionOff } from './vehicle/ignitionOff.ts';
import { ignitionOn } from './vehicle/ignitionOn.ts';
import { parkedTooLong } from './vehicle/parkedTooLong.ts';
import { refueling } from './vehicle/refueling.ts';
import { notRecorded } from './video/notRecorded.ts';
import { storageFault } from './video/storageFault.ts';
import { videoLoss } from './video/videoLoss.ts';

export const RULES = {
  speeding,
  'harsh-braking': harshBraking,
  'harsh-acceleration': harshAcceleration,
  'unauthorized-movement': unauthorizedMovement,
  'forbidden-hours': forbiddenHours,
  'passenger-overload': passengerOverload,
  'continuous-driving': continuousDriving,
  'no-driver-card': noDriverCard,
  'video-loss': videoLoss,
  'storage-fault': storageFault,
  'not-recorded': notRecorded,
  'no-fix': noFix,
  'fuel-drop': fuelDrop,
  refueling,
  'cabin-temperature': cabinTemperature,
  'ignition-on': ignitionOn,
  'ignition-off': ignitionOff,
  idling,
  'parked-too-long': parkedTooLong,
  offline,
  'wrong-clock': wrongClock,
} as const satisfies Readonly<Record<RuleCode, Rule>>;
