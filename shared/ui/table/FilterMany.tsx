import Autocomplete, { createFilterOptions } from '@mui/material/Autocomplete';
import Chip from '@mui/material/Chip';
import TextField from '@mui/material/TextField';
import { useTranslation } from 'react-i18next';

export interface FilterManyProps<Value> {
  readonly label: string;
  readonly options: readonly Value[];
  readonly value: readonly Value[];
  readonly onChange: (value: readonly Value[]) => void;
  readonly keyOf: (value: Value) => string;
  readonly labelOf: (value: Value) => string;
  readonly groupOf?: (value: Value) => string;
  /** Whether a selected value stands in the field; a value that another one stands for need not. */
  readonly isTagged?: (value: Value) => boolean;
  /** Pixels, on a wide page. */
  readonly width?: number;
  /** In a form: as wide as its column, with all that is chosen. */
  readonly fullWidth?: boolean;
  readonly problem?: string | undefined;
  readonly hint?: string | undefined;
  /** The meaning of an empty selection, where that is not all. */
  readonly placeholder?: string | undefined;
  readonly disabled?: boolean;
  /** Name of the field in its form. */
  readonly name?: string;
  readonly onBlur?: () => void;
}

// One line until it is used: what is chosen then takes the room that it needs.
const FIELD = {
  '& .MuiAutocomplete-inputRoot:not(.Mui-focused)': {
    flexWrap: 'nowrap',
    '& .MuiAutocomplete-input': { minWidth: 0, width: 0 },
  },
} as const;
/** Nobody reads more in a list at once; typing finds the others. */
const MAX_LISTED = 200;

/** A filter above a table: any of many, or all where none is chosen. */
export function FilterMany<Value>(props: FilterManyProps<Value>) {
  const { label, options, value, onChange, keyOf, labelOf, groupOf, isTagged = always, width = 190 } = props;
  const { fullWidth = false, problem, hint, disabled = false, name, onBlur } = props;
  const { t } = useTranslation(['Table', 'Form']);
  const { placeholder = t('All') } = props;
  return (
    <Autocomplete
      multiple
      disableCloseOnSelect
      size={fullWidth ? 'medium' : 'small'}
      limitTags={fullWidth ? -1 : 1}
      disabled={disabled}
      options={options}
      value={[...value]}
      onChange={(_event, chosen) => onChange(chosen)}
      onBlur={onBlur}
      getOptionLabel={labelOf}
      getOptionKey={keyOf}
      isOptionEqualToValue={(one, other) => keyOf(one) === keyOf(other)}
      filterOptions={createFilterOptions({ limit: MAX_LISTED })}
      {...(groupOf === undefined ? {} : { groupBy: groupOf })}
      noOptionsText={t('No results', { ns: 'Form' })}
      clearText={t('Clear', { ns: 'Form' })}
      openText={t('Open list', { ns: 'Form' })}
      closeText={t('Close list', { ns: 'Form' })}
      renderValue={(chosen, getItemProps) =>
        chosen.flatMap((each, index) => {
          if (!isTagged(each)) return [];
          const { key, ...item } = getItemProps({ index });
          return [<Chip key={key} size="small" label={labelOf(each)} {...item} />];
        })
      }
      renderInput={(params) => (
        <TextField
          {...params}
          label={label}
          name={name}
          error={problem !== undefined}
          helperText={problem ?? hint}
          placeholder={value.length === 0 ? placeholder : ''}
          slotProps={{ ...params.slotProps, inputLabel: { ...params.slotProps.inputLabel, shrink: true } }}
        />
      )}
      sx={fullWidth ? {} : { ...FIELD, width: { xs: 'calc(50% - 4px)', sm: width } }}
    />
  );
}

const always = (): boolean => true;
