import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useTranslation } from 'react-i18next';
import type { RuleGroup, RuleScope, RuleScopeQuery } from '../../../../shared/protocol/api/eventConfig.ts';
import { FilterPick } from '../../../../shared/ui/table/FilterPick.tsx';
import { groupOptions } from '../../../../shared/ui/table/groupOptions.ts';
import { devicePlace, groupPlace, INSTALLATION } from './configAddress.ts';
import { DevicePick } from './DevicePick.tsx';

export interface PlacePickerProps {
  readonly place: RuleScopeQuery;
  /** Undefined until they are loaded. */
  readonly groups: readonly RuleGroup[] | undefined;
  readonly onChange: (place: RuleScopeQuery) => void;
}

/** Whose settings are shown. */
export function PlacePicker({ place, groups, onChange }: PlacePickerProps) {
  const { t } = useTranslation('EventConfig');
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, alignItems: 'center' }}>
      <TextField
        select
        size="small"
        label={t('Settings of')}
        value={place.scope}
        onChange={(event) => onChange(newPlace(event.target.value as RuleScope))}
        slotProps={{ select: { native: true }, inputLabel: { shrink: true } }}
        sx={{ minWidth: 170, flex: { xs: '1 1 170px', sm: '0 0 auto' } }}
      >
        <option value="installation">{t('Installation')}</option>
        <option value="group">{t('Device group')}</option>
        <option value="device">{t('Device')}</option>
      </TextField>
      {place.scope === 'group' && (
        <FilterPick
          label={t('Device group')}
          options={groupOptions(groups ?? [])}
          value={place.group ?? ''}
          onChange={(group) => onChange(groupPlace(group))}
          isLoading={groups === undefined}
        />
      )}
      {place.scope === 'device' && (
        <DevicePick value={place.deviceid ?? ''} onChange={(deviceid) => onChange(devicePlace(deviceid))} />
      )}
    </Box>
  );
}

function newPlace(scope: RuleScope): RuleScopeQuery {
  return scope === 'installation' ? INSTALLATION : { scope };
}
