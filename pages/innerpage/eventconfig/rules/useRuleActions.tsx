import Edit from '@mui/icons-material/EditOutlined';
import PowerSettingsNew from '@mui/icons-material/PowerSettingsNew';
import RestartAlt from '@mui/icons-material/RestartAlt';
import { useTranslation } from 'react-i18next';
import type { RowAction } from '../../../../shared/ui/table/column.ts';
import { ownCount, type RuleRow } from './ruleRows.ts';

export interface RuleActions {
  readonly onEdit: (row: RuleRow) => void;
  readonly onTurn: (row: RuleRow, isOn: boolean) => void;
  readonly onInheritAll: (row: RuleRow) => void;
}

export function useRuleActions(on: RuleActions): (row: RuleRow) => readonly RowAction[] {
  const { t } = useTranslation('EventConfig');
  return (row) => {
    const { name, values } = row;
    return [
      { icon: <Edit />, label: t('Edit {{name}}', { name }), onClick: () => on.onEdit(row) },
      {
        icon: <PowerSettingsNew />,
        label: values.enabled ? t('Turn off {{name}}', { name }) : t('Turn on {{name}}', { name }),
        inMenu: true,
        onClick: () => on.onTurn(row, !values.enabled),
      },
      {
        icon: <RestartAlt />,
        label: t('Inherit all settings of {{name}}', { name }),
        inMenu: true,
        disabled: ownCount(row) === 0,
        onClick: () => on.onInheritAll(row),
      },
    ];
  };
}
