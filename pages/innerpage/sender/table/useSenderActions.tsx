import Delete from '@mui/icons-material/DeleteOutlined';
import Edit from '@mui/icons-material/EditOutlined';
import PowerSettingsNew from '@mui/icons-material/PowerSettingsNew';
import { useTranslation } from 'react-i18next';
import { saveSender } from '../../../../shared/api/notify/senders.ts';
import type { Sender } from '../../../../shared/protocol/api/notify/senders.ts';
import { notifyFailure } from '../../../../shared/ui/notifications.tsx';
import type { RowAction } from '../../../../shared/ui/table/column.ts';

export interface SenderActions {
  readonly onEdit: (sender: Sender) => void;
  readonly onRemove: (sender: Sender) => void;
  /** It was turned on or off, as the text says. */
  readonly onTurned: (text: string) => void;
  /** It wasn't, for it is not as it is shown. */
  readonly onFailed: () => void;
}

export function useSenderActions(on: SenderActions): (sender: Sender) => readonly RowAction[] {
  const { t } = useTranslation('Sender');
  const turn = async (sender: Sender, enabled: boolean) => {
    const { id, version, name, kind, perMinute, settings } = sender;
    const result = await saveSender(id, { version, name, kind, perMinute, settings, enabled });
    if (result.ok) {
      on.onTurned(enabled ? t('{{name}} turned on.', { name }) : t('{{name}} turned off.', { name }));
    } else {
      notifyFailure(result);
      on.onFailed();
    }
  };
  return (sender) => {
    const { name, enabled } = sender;
    return [
      { icon: <Edit />, label: t('Edit {{name}}', { name }), onClick: () => on.onEdit(sender) },
      {
        icon: <PowerSettingsNew />,
        label: enabled ? t('Turn off {{name}}', { name }) : t('Turn on {{name}}', { name }),
        inMenu: true,
        onClick: () => void turn(sender, !enabled),
      },
      { icon: <Delete />, label: t('Delete {{name}}', { name }), inMenu: true, onClick: () => on.onRemove(sender) },
    ];
  };
}
