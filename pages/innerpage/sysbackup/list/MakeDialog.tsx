import { useTranslation } from 'react-i18next';
import { makeBackup } from '../../../../shared/api/backup/backups.ts';
import { MAX_BACKUP_NOTE } from '../../../../shared/protocol/api/system/backups.ts';
import { FormDialog } from '../../../../shared/ui/form/FormDialog.tsx';
import { TextInput } from '../../../../shared/ui/form/TextInput.tsx';
import { useForm } from '../../../../shared/ui/form/useForm.ts';
import { notify } from '../../../../shared/ui/notifications.tsx';

export function MakeDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('SystemBackup');
  const form = useForm({ initial: { note: '' } });
  const make = async () => {
    const made = await form.submit(({ note }) => makeBackup(note.trim()));
    if (made === undefined) return;
    notify('info', t('Backup started.'));
    onClose();
  };
  return (
    <FormDialog
      title={t('Back up now')}
      form={form}
      saveLabel={t('Back up')}
      always
      maxWidth="xs"
      onSubmit={() => void make()}
      onClose={onClose}
    >
      <TextInput
        field={form.field('note')}
        label={t('Note')}
        hint={t('Why you make it. Anyone with the file can read the note.')}
        maxLength={MAX_BACKUP_NOTE}
        autoFocus
      />
    </FormDialog>
  );
}
