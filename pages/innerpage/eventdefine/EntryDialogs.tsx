// What is asked before a type or a reason is reset or deleted.
import { useTranslation } from 'react-i18next';
import type { ApiResult } from '../../../shared/api/client.ts';
import { ConfirmDialog } from '../../../shared/ui/ConfirmDialog.tsx';

export interface EntryDialogProps {
  readonly name: string;
  readonly onConfirm: () => Promise<ApiResult<unknown>>;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function ResetDialog({ name, ...rest }: EntryDialogProps) {
  const { t } = useTranslation('EventDefine');
  return (
    <ConfirmDialog
      {...rest}
      title={t('Reset {{name}}?', { name })}
      text={t("The built-in name and settings are used again. Your changes are lost. This can't be undone.")}
      action={t('Reset')}
      danger
    />
  );
}

export interface RemoveDialogProps extends EntryDialogProps {
  readonly text: string;
}

export function RemoveDialog({ name, ...rest }: RemoveDialogProps) {
  const { t } = useTranslation('EventDefine');
  return <ConfirmDialog {...rest} title={t('Delete {{name}}?', { name })} action={t('Delete')} danger />;
}
