import Autocomplete from '@mui/material/Autocomplete';
import TextField from '@mui/material/TextField';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { GroupNode } from '../../../../shared/protocol/api/deviceGroups.ts';
import { groupPaths } from './treeModel.ts';

export interface GroupSelectProps {
  readonly groups: readonly GroupNode[];
  readonly value: number | undefined;
  readonly onChange: (group: number | undefined) => void;
  readonly label: string;
  readonly required?: boolean;
  readonly invalid?: boolean;
  readonly problem?: string | undefined;
  readonly onBlur?: () => void;
  readonly disabled?: boolean;
}

/** One of the groups, by its path: typing narrows the list. */
export function GroupSelect(props: GroupSelectProps) {
  const { groups, value, onChange, label, required = false, invalid = false, problem, disabled = false } = props;
  const { t } = useTranslation('Form');
  const options = useMemo(() => [...groupPaths(groups)], [groups]);
  return (
    <Autocomplete
      options={options}
      value={options.find(({ id }) => id === value) ?? null}
      onChange={(_, option) => onChange(option?.id)}
      getOptionLabel={({ path }) => path}
      getOptionKey={({ id }) => id}
      isOptionEqualToValue={(one, other) => one.id === other.id}
      disabled={disabled}
      noOptionsText={t('No results')}
      clearText={t('Clear')}
      openText={t('Open list')}
      closeText={t('Close list')}
      {...(props.onBlur === undefined ? {} : { onBlur: props.onBlur })}
      renderInput={(params) => (
        <TextField
          {...params}
          label={label}
          required={required}
          error={invalid || problem !== undefined}
          helperText={problem}
        />
      )}
    />
  );
}
