import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { deviceOption, groupOption, optionsOf } from '../../../../shared/live/fleetOptions.ts';
import { useLiveFleet } from '../../../../shared/live/pageLive.ts';
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

/** What is chosen and not there any more, or not known yet, stays to be seen. */
function chosen(options: readonly Option<string>[], values: readonly string[]): readonly Option<string>[] {
  const known = new Map(options.map((option) => [option.value, option]));
  return values.map((value) => known.get(value) ?? { value, label: value });
}
