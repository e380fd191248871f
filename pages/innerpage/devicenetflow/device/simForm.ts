// The form of a device's SIM as data. Pure.
import type { NetflowDevice, SimContent, SimPlan } from '../../../../shared/protocol/api/netflow/netflow.ts';
import type { Problems } from '../../../../shared/ui/form/formState.ts';
import type { Option } from '../../../../shared/ui/form/SelectInput.tsx';

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

/**
 * The member group's plans and those that the devices have: a device that came from another member group keeps its plan, and a select
 * without it would show none.
 */
export function planOptions(
  plans: readonly Pick<SimPlan, 'id' | 'name'>[],
  devices: readonly Pick<NetflowDevice, 'plan' | 'planName'>[],
): readonly Option<string>[] {
  const kept = devices.filter(({ plan }) => plan !== 0).map(({ plan, planName }) => ({ id: plan, name: planName }));
  const names = new Map([...kept, ...plans].map(({ id, name }) => [String(id), name]));
  return [...names].map(([value, label]) => ({ value, label }));
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
