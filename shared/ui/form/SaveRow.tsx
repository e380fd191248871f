import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

export interface SaveRowProps {
  readonly form: { readonly isDirty: boolean; readonly isSaving: boolean };
  /** The id of the form that the button sends, when it stands outside of it. */
  readonly formId?: string;
  /** Instead of "Save". */
  readonly label?: string;
  /** Whether there is something to save although nothing was changed: a record that is made with its defaults. */
  readonly always?: boolean;
  readonly onCancel?: (() => void) | undefined;
  /** Content at the row's other end. */
  readonly children?: ReactNode;
}

/** Cancel and save, the same in a dialog and below a form. */
export function SaveRow({ form, formId, label, always = false, onCancel, children }: SaveRowProps) {
  const { t } = useTranslation(['Form', 'Common']);
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
      {children}
      <Box sx={{ flex: 1 }} />
      {onCancel !== undefined && (
        <Button onClick={onCancel} disabled={form.isSaving}>
          {t('Cancel', { ns: 'Common' })}
        </Button>
      )}
      <Button
        type="submit"
        variant="contained"
        loading={form.isSaving}
        disabled={!always && !form.isDirty}
        {...(formId === undefined ? {} : { form: formId })}
      >
        {label ?? t('Save')}
      </Button>
    </Box>
  );
}
