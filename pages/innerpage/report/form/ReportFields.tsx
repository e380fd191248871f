import Box from '@mui/material/Box';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { deviceOption, groupOption, optionsOf } from '../../../../shared/live/fleetOptions.ts';
import { useLiveFleet } from '../../../../shared/live/pageLive.ts';
import type { ReportFilter, ReportKindInfo } from '../../../../shared/protocol/api/reports/reports.ts';
import { useEventNames } from '../../../../shared/ui/events/useEventNames.ts';
import { COLUMNS } from '../../../../shared/ui/form/columns.ts';
import { ManyInput } from '../../../../shared/ui/form/ManyInput.tsx';
import { NumberInput } from '../../../../shared/ui/form/NumberInput.tsx';
import type { Field } from '../../../../shared/ui/form/useForm.ts';
import type { ReportDraft } from './reportForm.ts';
import { useFenceOptions } from './useFenceOptions.ts';

export interface ReportFieldsProps {
  /** Undefined: the kind isn't known any more. */
  readonly kind: ReportKindInfo | undefined;
  readonly fields: FilterFields;
}

/** The fields of the form that the report is a part of. */
type FilterFields = {
  readonly [Name in 'deviceGroups' | 'devices' | 'eventTypes' | 'fences' | 'leastMinutes' | 'speedKmh']: Field<
    ReportDraft[Name]
  >;
};

/** The filters of the report, as far as its kind supports them. */
export function ReportFields({ kind, fields }: ReportFieldsProps) {
  const filters = kind?.filters ?? [];
  const parts: Readonly<Record<ReportFilter, ReactNode>> = {
    devices: <DeviceFields key="devices" fields={fields} />,
    'event-types': <TypesField key="types" field={fields.eventTypes} />,
    fences: <FencesField key="fences" field={fields.fences} />,
    thresholds: <ThresholdFields key="thresholds" fields={fields} />,
    members: null,
    channels: null,
  };
  return <Box sx={{ display: 'grid', gap: 2, minWidth: 0 }}>{filters.map((filter) => parts[filter])}</Box>;
}

function DeviceFields({ fields }: Pick<ReportFieldsProps, 'fields'>) {
  const { t } = useTranslation('ReportPage');
  const { devices } = useLiveFleet();
  const deviceOptions = useMemo(() => optionsOf(devices.values(), deviceOption), [devices]);
  const groupOptions = useMemo(() => optionsOf(devices.values(), groupOption), [devices]);
  return (
    <Box sx={COLUMNS}>
      <ManyInput
        field={fields.deviceGroups}
        label={t('Device groups')}
        hint={t('Subgroups are included.')}
        options={groupOptions}
      />
      <ManyInput
        field={fields.devices}
        label={t('Devices')}
        hint={t('Leave both empty for all devices.')}
        options={deviceOptions}
      />
    </Box>
  );
}

function TypesField({ field }: { readonly field: Field<readonly string[]> }) {
  const { t } = useTranslation('ReportPage');
  const { types, nameOf } = useEventNames();
  const options = useMemo(
    () =>
      types
        .map(({ code }) => ({ value: code, label: nameOf(code) }))
        .sort((left, right) => left.label.localeCompare(right.label)),
    [types, nameOf],
  );
  return <ManyInput field={field} label={t('Event types')} hint={t('Leave empty for all types.')} options={options} />;
}

function FencesField({ field }: { readonly field: Field<readonly string[]> }) {
  const { t } = useTranslation('ReportPage');
  const options = useFenceOptions();
  return (
    <ManyInput field={field} label={t('Geofences')} hint={t('Leave empty for all geofences.')} options={options} />
  );
}

function ThresholdFields({ fields }: Pick<ReportFieldsProps, 'fields'>) {
  const { t } = useTranslation('ReportPage');
  return (
    <Box sx={COLUMNS}>
      <NumberInput
        field={fields.leastMinutes}
        label={t('At least (min)')}
        hint={t('Shorter ones are left out. Leave empty for all.')}
      />
      <NumberInput
        field={fields.speedKmh}
        label={t('Above (km/h)')}
        hint={t('Slower ones are left out. Leave empty for all.')}
      />
    </Box>
  );
}
