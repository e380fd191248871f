import Autocomplete from '@mui/material/Autocomplete';
import TextField from '@mui/material/TextField';
import { useTranslation } from 'react-i18next';
import { useAssignees } from '../../../../shared/ui/events/useAssignees.ts';
import type { Option } from '../../../../shared/ui/form/SelectInput.tsx';
import { NOBODY } from './historyFilter.ts';

export interface AssigneeFieldProps {
  /** User name, NOBODY or '' for all. */
  readonly assignee: string;
  readonly onChange: (assignee: string) => void;
}

/** One member, found by what is typed, or nobody. */
export function AssigneeField({ assignee, onChange }: AssigneeFieldProps) {
  const { t } = useTranslation(['HistoryEvent', 'Form', 'Table']);
  const found = useAssignees();
  const nobody: Option<string> = { value: NOBODY, label: t('Unassigned') };
  const options = [nobody, ...found.options];
  const chosen = options.find(({ value }) => value === assignee);
  return (
    <Autocomplete
      size="small"
      options={options}
      filterOptions={asTheyAre}
      value={chosen ?? (assignee === '' ? null : { value: assignee, label: assignee })}
      onChange={(_event, option) => onChange(option?.value ?? '')}
      onInputChange={(_event, text, reason) => (reason === 'input' || reason === 'clear') && found.search(text)}
      isOptionEqualToValue={(one, other) => one.value === other.value}
      getOptionKey={({ value }) => value}
      loading={found.isLoading}
      loadingText={t('Loading…', { ns: 'Form' })}
      noOptionsText={t('No results', { ns: 'Form' })}
      clearText={t('Clear', { ns: 'Form' })}
      openText={t('Open list', { ns: 'Form' })}
      closeText={t('Close list', { ns: 'Form' })}
      renderInput={(params) => (
        <TextField
          {...params}
          label={t('Assignee')}
          placeholder={t('All', { ns: 'Table' })}
          slotProps={{ ...params.slotProps, inputLabel: { ...params.slotProps.inputLabel, shrink: true } }}
        />
      )}
      sx={{ width: { xs: 'calc(50% - 4px)', sm: 190 } }}
    />
  );
}

/** The gateway has searched. */
const asTheyAre = (options: Option<string>[]): Option<string>[] => options;
