// A fence as the engine works with it.
import type { FenceContent, FenceRules } from '../../../shared/protocol/api/fences/fences.ts';
import { RuleSchedule } from '../../events/rules/ruleSchedule.ts';
import { prepareShape } from '../geometry/prepareShape.ts';
import type { Box, Shape } from '../geometry/shape.ts';
import type { StoredFence } from './fenceSource.ts';

export interface PreparedFence {
  readonly id: number;
  readonly memberGroup: number;
  readonly version: number;
  readonly name: string;
  readonly box: Box;
  readonly shape: Shape;
  readonly rules: FenceRules;
  readonly schedule: FenceSchedule;
  /** 0: no limit. */
  readonly validFromMs: number;
  readonly validToMs: number;
  /** Without groups and devices: all devices of the member group. */
  readonly deviceGroups: readonly number[];
  readonly devices: ReadonlySet<string>;
}

/** Undefined for a fence that is off, or whose outline is none. */
export function prepareFence({ id, memberGroup, version, content }: StoredFence): PreparedFence | undefined {
  const shape = content.enabled ? prepareShape(content) : undefined;
  if (shape === undefined) return undefined;
  return {
    id,
    memberGroup,
    version,
    name: content.name,
    box: shape.box,
    shape,
    rules: content.rules,
    schedule: new FenceSchedule({ schedule: content.schedule, timeZone: content.timeZone }),
    validFromMs: content.validFromMs,
    validToMs: content.validToMs,
    deviceGroups: content.deviceGroups,
    devices: new Set(content.devices),
  };
}

export function isInForce(
  { validFromMs, validToMs }: Pick<PreparedFence, 'validFromMs' | 'validToMs'>,
  atMs: number,
): boolean {
  return atMs >= validFromMs && (validToMs === 0 || atMs < validToMs);
}

/** When a fence's rules apply, on its own clock or that of each device. */
class FenceSchedule {
  readonly isAlways: boolean;
  readonly #content: Pick<FenceContent, 'schedule' | 'timeZone'>;
  readonly #byZone = new Map<string, RuleSchedule>();

  /** `content`: these two alone. It is kept, and a whole one's outline takes more than the rest of a fence. */
  constructor(content: Pick<FenceContent, 'schedule' | 'timeZone'>) {
    this.#content = content;
    this.isAlways = content.schedule.length === 0;
  }

  /** `deviceZone`: IANA name; '' for the gateway's own. */
  appliesAt(atMs: number, deviceZone: string): boolean {
    if (this.isAlways) return true;
    const { schedule, timeZone } = this.#content;
    const zone = timeZone === '' ? deviceZone : timeZone;
    const known = this.#byZone.get(zone) ?? new RuleSchedule(schedule, zone);
    this.#byZone.set(zone, known);
    return known.appliesAt(atMs);
  }
}
