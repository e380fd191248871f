// Whether a fence can be stored as it was sent. Pure.
import {
  FENCE_GEOMETRY_FIELD,
  type FenceContent,
  type FenceShape,
} from '../../../shared/protocol/api/fences/fences.ts';
import { faultsOfShape } from '../../../shared/protocol/fences/geometryFaults.ts';
import { isTimeZone } from '../../../shared/protocol/timeZones.ts';

/** What a fence of a member group can name. */
export interface FenceChoices {
  readonly deviceGroups: ReadonlySet<number>;
  readonly devices: ReadonlySet<string>;
}

/** A code for each wrong field; for the outline, the first of FENCE_FAULTS. */
export function faultsOfFence(fence: FenceContent, choices: FenceChoices): Readonly<Record<string, string>> {
  const faults: Record<string, string> = {};
  if (fence.name.trim() === '') faults.name = 'required';
  const [fault] = faultsOfShape(fence);
  if (fault !== undefined) faults[FENCE_GEOMETRY_FIELD] = fault;
  if (fence.validToMs !== 0 && fence.validToMs <= fence.validFromMs) faults.validToMs = 'out-of-range';
  if (!isTimeZone(fence.timeZone)) faults.timeZone = 'unknown';
  if (!fence.deviceGroups.every((group) => choices.deviceGroups.has(group))) faults.deviceGroups = 'unknown';
  if (!fence.devices.every((device) => choices.devices.has(device))) faults.devices = 'unknown';
  return faults;
}

/** The geofence as it is stored: without blanks around the name, and without values that its kind doesn't have. */
export function storedContent(fence: FenceContent): FenceContent {
  const { kind, rules } = fence;
  return {
    ...fence,
    name: fence.name.trim(),
    radiusMeters: kind === 'circle' ? fence.radiusMeters : 0,
    widthMeters: kind === 'corridor' ? fence.widthMeters : 0,
    rules: { ...rules, wrongDirection: kind === 'corridor' && rules.wrongDirection },
  };
}

/** The outline alone. */
export function shapeOf({ kind, geometry, radiusMeters, widthMeters }: FenceShape): FenceShape {
  return { kind, geometry, radiusMeters, widthMeters };
}

export function haveSameShape(one: FenceShape, other: FenceShape): boolean {
  return JSON.stringify(shapeOf(one)) === JSON.stringify(shapeOf(other));
}
