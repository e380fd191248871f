import ContentCopy from '@mui/icons-material/ContentCopyOutlined';
import Delete from '@mui/icons-material/DeleteOutlined';
import Edit from '@mui/icons-material/EditOutlined';
import PowerSettingsNew from '@mui/icons-material/PowerSettingsNew';
import SendToMobile from '@mui/icons-material/SendToMobileOutlined';
import { useTranslation } from 'react-i18next';
import type { Fence } from '../../../../shared/protocol/api/fences/fences.ts';
import type { RowAction } from '../../../../shared/ui/table/column.ts';

export interface FenceActions {
  readonly onEdit: (fence: Fence) => void;
  readonly onTurn: (fence: Fence, isOn: boolean) => void;
  readonly onTerminals: (fence: Fence) => void;
  readonly onDuplicate: (fence: Fence) => void;
  readonly onDelete: (fence: Fence) => void;
}

export function useFenceActions(on: FenceActions): (fence: Fence) => readonly RowAction[] {
  const { t } = useTranslation('FenceSetting');
  return (fence) => {
    const { name, enabled } = fence;
    return [
      { icon: <Edit />, label: t('Edit {{name}}', { name }), onClick: () => on.onEdit(fence) },
      {
        icon: <SendToMobile />,
        label: t('Terminals of {{name}}', { name }),
        inMenu: true,
        onClick: () => on.onTerminals(fence),
      },
      {
        icon: <PowerSettingsNew />,
        label: enabled ? t('Turn off {{name}}', { name }) : t('Turn on {{name}}', { name }),
        inMenu: true,
        onClick: () => on.onTurn(fence, !enabled),
      },
      {
        icon: <ContentCopy />,
        label: t('Duplicate {{name}}', { name }),
        inMenu: true,
        onClick: () => on.onDuplicate(fence),
      },
      { icon: <Delete />, label: t('Delete {{name}}', { name }), inMenu: true, onClick: () => on.onDelete(fence) },
    ];
  };
}
