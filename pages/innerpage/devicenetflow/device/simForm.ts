// The form of a device's SIM as data. Pure.
import type { NetflowDevice, SimContent } from '../../../../shared/protocol/api/netflow/netflow.ts';
import type { Problems } from '../../../../shared/ui/form/formState.ts';

export interface SimDraft {
  readonly number: string;
  readonly iccid: string;
  /** Id; '' for none. */
  readonly plan: string;
  /** `YYYY-MM-DD`; '' for none. */
  readonly expiryDay: string;
}

export function draftOfDevice(device: NetflowDevice): SimDraft {
  return {
    number: device.simNumber,
    iccid: device.simIccid,
    plan: device.plan === 0 ? '' : String(device.plan),
    expiryDay: device.simExpiryDay,
  };
}

export function contentOfDraft(draft: SimDraft, device: Pick<NetflowDevice, 'deviceid' | 'simVersion'>): SimContent {
  return {
    deviceid: device.deviceid,
    version: device.simVersion,
    number: draft.number.trim(),
    iccid: draft.iccid.trim(),
    plan: draft.plan === '' ? 0 : Number(draft.plan),
    expiryDay: draft.expiryDay.trim(),
  };
}

export interface SimTexts {
  readonly badDay: string;
}

export function checkSim({ expiryDay }: SimDraft, { badDay }: SimTexts): Problems<SimDraft> {
  const day = expiryDay.trim();
  return { expiryDay: day === '' || isDay(day) ? undefined : badDay };
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const atMs = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(text);
}
