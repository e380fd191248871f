// The live fleet's devices and groups as options to select from. Pure.
import type { LiveDevice } from '../protocol/api/liveUpdates.ts';
import type { Option } from '../ui/form/SelectInput.tsx';

export function deviceOption({ id, name, plate }: LiveDevice): Option<string> {
  const label = name || id;
  return { value: id, label: plate === '' ? label : `${label} (${plate})` };
}

export function groupOption({ group, groupName }: LiveDevice): Option<string> {
  return { value: String(group), label: groupName };
}

/** Each once, by its label. */
export function optionsOf(
  devices: Iterable<LiveDevice>,
  optionOf: (device: LiveDevice) => Option<string>,
): readonly Option<string>[] {
  const options = new Map<string, Option<string>>();
  for (const device of devices) {
    const option = optionOf(device);
    options.set(option.value, option);
  }
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  return [...options.values()].sort((left, right) => compare(left.label, right.label));
}
