import { useTranslation } from 'react-i18next';
import { takeUploadedBackup } from '../../../../shared/api/backup/restore.ts';
import { FormDialog } from '../../../../shared/ui/form/FormDialog.tsx';
import { useForm } from '../../../../shared/ui/form/useForm.ts';
import { notify } from '../../../../shared/ui/notifications.tsx';
import { UploadField } from '../../../../shared/ui/upload/UploadField.tsx';
import { useUpload } from '../../../../shared/ui/upload/useUpload.ts';

export function UploadDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('SystemBackup');
  const form = useForm({
    initial: { upload: '' },
    check: ({ upload }) => (upload === '' ? { upload: t('Select the file, and wait until it is uploaded.') } : {}),
  });
  const file = form.field('upload');
  const upload = useUpload('backup', file.onChange);
  const add = async () => {
    const taken = await form.submit((values) => takeUploadedBackup(values.upload));
    if (taken === undefined) return;
    upload.release();
    notify('info', t('Backup uploaded. It is being checked and added.'));
    onClose();
  };
  return (
    <FormDialog
      title={t('Upload backup')}
      form={form}
      saveLabel={t('Add to backups')}
      always
      onSubmit={() => void add()}
      onClose={onClose}
    >
      <UploadField
        upload={upload}
        problem={file.problem}
        hint={t('A file that was downloaded here or from another installation. At most 8 GiB.')}
        disabled={file.disabled}
      />
    </FormDialog>
  );
}
