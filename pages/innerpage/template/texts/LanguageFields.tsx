import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useTranslation } from 'react-i18next';
import { MAX_TEMPLATE_BODY, MAX_TEMPLATE_SUBJECT } from '../../../../shared/protocol/api/notify/templates.ts';
import type { Locale } from '../../../../shared/protocol/locale.ts';
import { hasSubject } from '../../../../shared/protocol/notify/templateProblems.ts';
import type { Field, Form } from '../../../../shared/ui/form/useForm.ts';
import { type TemplateDraft, type TextPart, textField } from '../templateForm.ts';
import { type Insertion, useInsertion } from './useInsertion.ts';
import { VariableList } from './VariableList.tsx';

export interface LanguageFieldsProps {
  readonly form: Form<TemplateDraft>;
  readonly locale: Locale;
}

/** Subject and text in one language, and the variables that can be put into them. */
export function LanguageFields({ form, locale }: LanguageFieldsProps) {
  const { t } = useTranslation('Template');
  const fieldOf = (part: TextPart) => form.field(textField(locale, part));
  const insertion = useInsertion((part, text) => fieldOf(part).onChange(text));
  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      {hasSubject(form.values.kind) && (
        <TextPartInput
          part="subject"
          field={fieldOf('subject')}
          label={form.values.kind === 'push' ? t('Title') : t('Subject')}
          insertion={insertion}
          maxLength={MAX_TEMPLATE_SUBJECT}
        />
      )}
      <TextPartInput
        part="body"
        field={fieldOf('body')}
        label={t('Text')}
        insertion={insertion}
        maxLength={MAX_TEMPLATE_BODY}
      />
      <VariableList kind={form.values.kind} onInsert={insertion.insert} />
    </Box>
  );
}

interface TextPartInputProps {
  readonly part: TextPart;
  readonly field: Field<string>;
  readonly label: string;
  readonly insertion: Insertion;
  readonly maxLength: number;
}

function TextPartInput({ part, field, label, insertion, maxLength }: TextPartInputProps) {
  const isBody = part === 'body';
  return (
    <TextField
      fullWidth
      label={label}
      name={field.name}
      value={field.value}
      onChange={(event) => field.onChange(event.target.value)}
      onFocus={() => insertion.setCurrent(part)}
      onBlur={field.onBlur}
      disabled={field.disabled}
      error={field.problem !== undefined}
      helperText={field.problem}
      multiline={isBody}
      {...(isBody ? { minRows: 8, maxRows: 16 } : {})}
      inputRef={insertion.refOf(part)}
      slotProps={{ htmlInput: { maxLength, spellCheck: false, autoComplete: 'off' }, input: { sx: MONOSPACE } }}
    />
  );
}

const MONOSPACE = { fontFamily: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace', fontSize: 14 } as const;
