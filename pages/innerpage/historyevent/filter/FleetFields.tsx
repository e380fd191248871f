import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useLiveFleet } from '../../../../shared/live/pageLive.ts';
import type { LiveDevice } from '../../../../shared/protocol/api/liveUpdates.ts';
import type { Option } from '../../../../shared/ui/form/SelectInput.tsx';
import { FilterMany } from '../../../../shared/ui/table/FilterMany.tsx';
import type { HistoryFilter } from './historyFilter.ts';

export interface FleetFieldsProps {
  readonly filter: Pick<HistoryFilter, 'devices' | 'groups'>;
  readonly onChange: (part: Partial<HistoryFilter>) => void;
}

/** Devices and groups, of those that the user sees now. */
export function FleetFields({ filter, onChange }: FleetFieldsProps) {
  const { t } = useTranslation('HistoryEvent');
  const { devices } = useLiveFleet();
  const deviceOptions = useMemo(() => optionsOf(devices.values(), deviceOption), [devices]);
  const groupOptions = useMemo(() => optionsOf(devices.values(), groupOption), [devices]);
  return (
    <>
      <FilterMany
        label={t('Device')}
        options={deviceOptions}
        value={chosen(deviceOptions, filter.devices)}
        onChange={(next) => onChange({ devices: next.map(({ value }) => value) })}
        keyOf={({ value }) => value}
        labelOf={({ label }) => label}
      />
      <FilterMany
        label={t('Group')}
        options={groupOptions}
        value={chosen(groupOptions, filter.groups.map(String))}
        onChange={(next) => onChange({ groups: next.map(({ value }) => Number(value)) })}
        keyOf={({ value }) => value}
        labelOf={({ label }) => label}
      />
    </>
  );
}

function deviceOption({ id, name, plate }: LiveDevice): Option<string> {
  const label = name || id;
  return { value: id, label: plate === '' ? label : `${label} (${plate})` };
}

function groupOption({ group, groupName }: LiveDevice): Option<string> {
  return { value: String(group), label: groupName };
}

/** Each once, by its label. */
function optionsOf(
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

/** What is chosen and not there any more, or not known yet, stays to be seen. */
function chosen(options: readonly Option<string>[], values: readonly string[]): readonly Option<string>[] {
  const known = new Map(options.map((option) => [option.value, option]));
  return values.map((value) => known.get(value) ?? { value, label: value });
}
