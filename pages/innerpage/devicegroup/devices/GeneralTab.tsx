import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import type { GroupTree } from '../../../../shared/protocol/api/deviceGroups.ts';
import { DEVICE_EDITIONS, DEVICE_ICONS, type DeviceDetail } from '../../../../shared/protocol/api/devices.ts';
import { DeviceLimit } from '../../../../shared/protocol/deviceRules.ts';
import { zoneNames } from '../../../../shared/time/zones.ts';
import { PickInput } from '../../../../shared/ui/form/PickInput.tsx';
import { SelectInput } from '../../../../shared/ui/form/SelectInput.tsx';
import { SwitchInput } from '../../../../shared/ui/form/SwitchInput.tsx';
import { TextInput } from '../../../../shared/ui/form/TextInput.tsx';
import type { Form } from '../../../../shared/ui/form/useForm.ts';
import { GroupSelect } from '../tree/GroupSelect.tsx';
import type { DeviceValues } from './deviceForm.ts';
import { useFieldLabels, useIconName } from './names.ts';

export interface GeneralTabProps {
  readonly form: Form<DeviceValues>;
  readonly tree: GroupTree;
  readonly isNew: boolean;
  readonly identity: DeviceDetail['identity'];
}

export function GeneralTab({ form, tree, isNew, identity }: GeneralTabProps) {
  const { t } = useTranslation('DeviceGroup');
  const label = useFieldLabels();
  const iconName = useIconName();
  const group = form.field('group');
  const idHint = isNew ? t("Used in links and recordings. It can't be changed later.") : undefined;
  return (
    <Box sx={TWO_COLUMNS}>
      <TextInput
        field={form.field('deviceid')}
        label={label.deviceid}
        hint={idHint}
        required
        disabled={!isNew}
        autoFocus={isNew}
        verbatim
      />
      <TextInput field={form.field('name')} label={label.name} required maxLength={DeviceLimit.name} />
      <GroupSelect
        groups={tree.groups}
        value={group.value ?? undefined}
        onChange={(id) => group.onChange(id ?? null)}
        onBlur={group.onBlur}
        label={label.group}
        required
        problem={group.problem}
        disabled={group.disabled}
      />
      <TextInput field={form.field('plate')} label={label.plate} maxLength={DeviceLimit.plate} verbatim />
      <TextInput
        field={form.field('terminal')}
        label={label.terminal}
        hint={t('The number the terminal registers with. A new number means another terminal.')}
        verbatim
      />
      <SelectInput
        field={form.field('edition')}
        label={label.edition}
        hint={t('The terminal sets it when it registers.')}
        options={[
          { value: '', label: t('As reported by the terminal') },
          ...DEVICE_EDITIONS.map((value) => ({ value, label: value })),
        ]}
      />
      <TextInput field={form.field('model')} label={label.model} maxLength={DeviceLimit.model} />
      <TextInput field={form.field('sim')} label={label.sim} maxLength={DeviceLimit.sim} verbatim />
      <PickInput
        field={form.field('timeZone')}
        label={label.timeZone}
        hint={t("Used for recording schedules. Leave empty for the server's time zone.")}
        options={zoneNames().map((value) => ({ value, label: value }))}
      />
      <SelectInput
        field={form.field('icon')}
        label={label.icon}
        options={['' as const, ...DEVICE_ICONS].map((value) => ({ value, label: iconName(value) }))}
      />
      <Box sx={{ gridColumn: '1 / -1' }}>
        <TextInput field={form.field('notes')} label={label.notes} rows={2} maxLength={DeviceLimit.notes} />
      </Box>
      <SwitchInput
        field={form.field('anyMediaAddress')}
        label={label.anyMediaAddress}
        hint={t('For mobile carriers that send video and signaling from different IP addresses.')}
      />
      <SwitchInput
        field={form.field('channelsFromZero')}
        label={label.channelsFromZero}
        hint={t('For terminals whose first channel is number 0. It is still shown as channel 1.')}
      />
      <SwitchInput
        field={form.field('disabled')}
        label={label.disabled}
        hint={t("The terminal can't connect, and its video can't be watched.")}
      />
      {identity !== null && (
        <Typography sx={{ gridColumn: '1 / -1', fontSize: 13, color: 'text.secondary' }}>
          {t('Registered with terminal ID {{terminalId}}, manufacturer {{manufacturer}}.', { ...identity })}
        </Typography>
      )}
    </Box>
  );
}

const TWO_COLUMNS = {
  display: 'grid',
  gap: 2,
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
  alignItems: 'start',
} as const;
