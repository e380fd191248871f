// Devices and device groups to select from. Pure.
import type { NotifyChoices } from '../../../../shared/protocol/api/notify/notifyRules.ts';
import type { Option } from '../../../../shared/ui/form/SelectInput.tsx';
import { groupOptions } from '../../../../shared/ui/table/groupOptions.ts';

/** By their paths. A group whose parent the member group does not have stands at the top. */
export function deviceGroupOptions({ deviceGroups }: Pick<NotifyChoices, 'deviceGroups'>): readonly Option<string>[] {
  const ids = new Set(deviceGroups.map(({ id }) => id));
  const rooted = deviceGroups.map(({ id, name, parent }) => ({
    id,
    name,
    parent: parent !== null && ids.has(parent) ? parent : null,
  }));
  return groupOptions(rooted).map(({ value, label }) => ({ value, label }));
}

export function deviceOptions({ devices }: Pick<NotifyChoices, 'devices'>): readonly Option<string>[] {
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  const options = devices.map(({ deviceid, name, plate }) => {
    const label = name || deviceid;
    return { value: deviceid, label: plate === '' ? label : `${label} (${plate})` };
  });
  return options.sort((left, right) => compare(left.label, right.label));
}
