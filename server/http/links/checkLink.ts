// Whether a link can be made as it is asked for.

import { LINK_CHANNELS_MAX, type NewLink } from '../../../shared/protocol/api/links.ts';
import type { FieldCode } from '../../../shared/protocol/fieldCodes.ts';
import { Permission } from '../../../shared/protocol/permissions.ts';
import type { WallMs } from '../../../shared/protocol/time.ts';
import type { Device } from '../../store/devices/devices.ts';

export type LinkFaults = Readonly<Partial<Record<keyof NewLink, FieldCode>>>;

export interface LinkMaking {
  /** The one that is named, if the caller sees it. */
  readonly device: Device | undefined;
  /** The caller's. */
  readonly permissions: readonly string[];
  readonly now: WallMs;
}

/** Undefined when nothing is wrong. */
export function faultsOfLink(link: NewLink, { device, permissions, now }: LinkMaking): LinkFaults | undefined {
  const faults: Partial<Record<keyof NewLink, FieldCode>> = {};
  if (device === undefined) faults.deviceid = 'unknown';
  // A device that hasn't reported its channels yet may have any.
  const most = device === undefined || device.chn === 0 ? LINK_CHANNELS_MAX : Math.min(device.chn, LINK_CHANNELS_MAX);
  if (link.channels.length === 0) faults.channels = 'required';
  else if (link.channels.some((channel) => channel > most)) faults.channels = 'out-of-range';
  if (link.kinds.length === 0) faults.kinds = 'required';
  // Nobody gives away what they do not have.
  else if (link.kinds.includes('export') && !permissions.includes(Permission.Export)) faults.kinds = 'not-allowed';
  if (link.untilMs !== 0 && link.untilMs <= now) faults.untilMs = 'in-the-past';
  return Object.keys(faults).length === 0 ? undefined : faults;
}
