import ContentCopy from '@mui/icons-material/ContentCopyOutlined';
import Delete from '@mui/icons-material/DeleteOutlined';
import Edit from '@mui/icons-material/EditOutlined';
import PowerSettingsNew from '@mui/icons-material/PowerSettingsNew';
import { useTranslation } from 'react-i18next';
import type { NotifyRule } from '../../../../shared/protocol/api/notify/notifyRules.ts';
import type { RowAction } from '../../../../shared/ui/table/column.ts';

export interface RuleActions {
  readonly onEdit: (rule: NotifyRule) => void;
  readonly onTurn: (rule: NotifyRule, isOn: boolean) => void;
  readonly onDuplicate: (rule: NotifyRule) => void;
  readonly onDelete: (rule: NotifyRule) => void;
}

export function useRuleActions(on: RuleActions): (rule: NotifyRule) => readonly RowAction[] {
  const { t } = useTranslation('NotifyConfig');
  return (rule) => {
    const { name, enabled } = rule;
    return [
      { icon: <Edit />, label: t('Edit {{name}}', { name }), onClick: () => on.onEdit(rule) },
      {
        icon: <PowerSettingsNew />,
        label: enabled ? t('Turn off {{name}}', { name }) : t('Turn on {{name}}', { name }),
        inMenu: true,
        onClick: () => on.onTurn(rule, !enabled),
      },
      {
        icon: <ContentCopy />,
        label: t('Duplicate {{name}}', { name }),
        inMenu: true,
        onClick: () => on.onDuplicate(rule),
      },
      { icon: <Delete />, label: t('Delete {{name}}', { name }), inMenu: true, onClick: () => on.onDelete(rule) },
    ];
  };
}
