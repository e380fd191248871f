import Add from '@mui/icons-material/Add';
import Delete from '@mui/icons-material/DeleteOutlined';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormHelperText from '@mui/material/FormHelperText';
import FormLabel from '@mui/material/FormLabel';
import IconButton from '@mui/material/IconButton';
import TextField from '@mui/material/TextField';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Field } from '../../../../shared/ui/form/useForm.ts';
import type { HeaderDraft } from './senderForm.ts';

const MAX_HEADERS = 10;

export interface HeadersInputProps {
  readonly field: Field<readonly HeaderDraft[]>;
  readonly label: string;
  readonly hint?: string;
}

/** Headers of an HTTP request, each a name and a value. */
export function HeadersInput({ field, label, hint }: HeadersInputProps) {
  const { t } = useTranslation('Sender');
  const [labelId, problemId] = [useId(), useId()];
  const headers = field.value;
  return (
    <Box role="group" aria-labelledby={labelId} aria-describedby={problemId} sx={{ display: 'grid', gap: 1 }}>
      <FormLabel id={labelId} error={field.problem !== undefined}>
        {label}
      </FormLabel>
      {[...headers.entries()].map(([at, header]) => (
        <HeaderRow
          // Headers have no name of their own: they are identified by their place.
          key={at}
          header={header}
          field={field}
          onChange={(next) => field.onChange(headers.with(at, next))}
          onRemove={() => field.onChange(headers.filter((_, each) => each !== at))}
        />
      ))}
      <Button
        size="small"
        startIcon={<Add />}
        disabled={field.disabled || headers.length >= MAX_HEADERS}
        onClick={() => field.onChange([...headers, { name: '', value: '' }])}
        sx={{ justifySelf: 'start' }}
      >
        {t('Add header')}
      </Button>
      <FormHelperText id={problemId} error={field.problem !== undefined} sx={{ mx: 0 }}>
        {field.problem ?? hint}
      </FormHelperText>
    </Box>
  );
}

interface HeaderRowProps {
  readonly header: HeaderDraft;
  readonly field: HeadersInputProps['field'];
  readonly onChange: (header: HeaderDraft) => void;
  readonly onRemove: () => void;
}

function HeaderRow({ header, field, onChange, onRemove }: HeaderRowProps) {
  const { t } = useTranslation('Sender');
  const common = { size: 'small', disabled: field.disabled, onBlur: field.onBlur } as const;
  const htmlInput = { spellCheck: false, autoCapitalize: 'none', autoCorrect: 'off', autoComplete: 'off' } as const;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
      <TextField
        {...common}
        label={t('Header name')}
        value={header.name}
        error={field.problem !== undefined}
        onChange={(event) => onChange({ ...header, name: event.target.value })}
        slotProps={{ htmlInput: { ...htmlInput, maxLength: 100 } }}
        sx={{ flex: '1 1 130px' }}
      />
      <TextField
        {...common}
        label={t('Header value')}
        value={header.value}
        error={field.problem !== undefined}
        onChange={(event) => onChange({ ...header, value: event.target.value })}
        slotProps={{ htmlInput: { ...htmlInput, maxLength: 1_000 } }}
        sx={{ flex: '2 1 160px' }}
      />
      <IconButton aria-label={t('Delete header {{name}}', { name: header.name })} onClick={onRemove} size="small">
        <Delete />
      </IconButton>
    </Box>
  );
}
