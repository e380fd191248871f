import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { deviceOption, optionsOf } from '../../../../shared/live/fleetOptions.ts';
import { useLiveFleet } from '../../../../shared/live/pageLive.ts';
import { FilterPick } from '../../../../shared/ui/table/FilterPick.tsx';

export interface DevicePickProps {
  /** '' for none. */
  readonly value: string;
  readonly onChange: (deviceid: string) => void;
  /** Only devices of these groups; all when left out. */
  readonly groups?: ReadonlySet<number> | undefined;
}

/** One of the devices that the user sees now, by name or plate number. */
export function DevicePick({ value, onChange, groups }: DevicePickProps) {
  const { t } = useTranslation('EventConfig');
  const { devices } = useLiveFleet();
  const options = useMemo(() => {
    const all = [...devices.values()];
    return optionsOf(groups === undefined ? all : all.filter(({ group }) => groups.has(group)), deviceOption);
  }, [devices, groups]);
  return <FilterPick label={t('Device')} options={options} value={value} onChange={onChange} />;
}
