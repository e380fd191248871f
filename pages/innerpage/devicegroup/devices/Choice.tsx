import TextField from '@mui/material/TextField';

export interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
  readonly disabled?: boolean;
}

/** One of a few, for parts of a field that has no field of its own in the form. */
export function Choice<Value extends string>({
  label,
  value,
  options,
  onChange,
  disabled = false,
}: ChoiceProps<Value>) {
  return (
    <TextField
      select
      label={label}
      value={value}
      disabled={disabled}
      onChange={(event) => {
        const option = options.find((each) => each.value === event.target.value);
        if (option !== undefined) onChange(option.value);
      }}
      slotProps={{ select: { native: true }, inputLabel: { shrink: true } }}
      sx={{ minWidth: 160 }}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </TextField>
  );
}
