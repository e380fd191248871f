import { useTranslation } from 'react-i18next';
import { saveEventFilter } from '../../../../shared/api/events.ts';
import { MAX_FILTER_NAME, type SavedFilterQuery } from '../../../../shared/protocol/api/events.ts';
import { FormDialog } from '../../../../shared/ui/form/FormDialog.tsx';
import { TextInput } from '../../../../shared/ui/form/TextInput.tsx';
import { useForm } from '../../../../shared/ui/form/useForm.ts';

export interface SaveFilterDialogProps {
  readonly query: SavedFilterQuery;
  /** Names of the existing filters. */
  readonly names: readonly string[];
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

/** Asks for a name. The filter of a name that is taken is replaced, and the dialog says so. */
export function SaveFilterDialog({ query, names, onSaved, onClose }: SaveFilterDialogProps) {
  const { t } = useTranslation('HistoryEvent');
  const form = useForm({
    initial: { name: '' },
    check: ({ name }) => ({ name: name.trim() === '' ? t('Enter a name.') : undefined }),
  });
  const field = form.field('name');
  const save = async () => {
    const saved = await form.submit(({ name }) => saveEventFilter({ name: name.trim(), query }));
    if (saved !== undefined) onSaved();
  };
  return (
    <FormDialog title={t('Save filter')} form={form} maxWidth="xs" onSubmit={() => void save()} onClose={onClose}>
      <TextInput
        field={field}
        label={t('Name')}
        required
        autoFocus
        maxLength={MAX_FILTER_NAME}
        hint={names.includes(field.value.trim()) ? t('Replaces the saved filter of this name.') : undefined}
      />
    </FormDialog>
  );
}
