import Delete from '@mui/icons-material/DeleteOutlined';
import Edit from '@mui/icons-material/EditOutlined';
import PowerSettingsNew from '@mui/icons-material/PowerSettingsNew';
import RestartAlt from '@mui/icons-material/RestartAlt';
import { useTranslation } from 'react-i18next';
import type { RowAction } from '../../../shared/ui/table/column.ts';

interface Entry {
  readonly name: string;
  readonly isBuiltIn: boolean;
  readonly enabled: boolean;
  readonly version: number;
}

export interface EntryActions<Row> {
  readonly onEdit: (row: Row) => void;
  readonly onTurn: (row: Row, isOn: boolean) => void;
  readonly onReset: (row: Row) => void;
  readonly onRemove: (row: Row) => void;
}

/** The actions for a type or a reason: built-in ones are reset, others are deleted. */
export function useEntryActions<Row extends Entry>(on: EntryActions<Row>): (row: Row) => readonly RowAction[] {
  const { t } = useTranslation('EventDefine');
  return (row) => [
    { icon: <Edit />, label: t('Edit {{name}}', { name: row.name }), onClick: () => on.onEdit(row) },
    {
      icon: <PowerSettingsNew />,
      label: row.enabled ? t('Turn off {{name}}', { name: row.name }) : t('Turn on {{name}}', { name: row.name }),
      inMenu: true,
      onClick: () => on.onTurn(row, !row.enabled),
    },
    row.isBuiltIn
      ? {
          icon: <RestartAlt />,
          label: t('Reset {{name}}', { name: row.name }),
          inMenu: true,
          // Version 1 is the initial state: the entry has never been edited.
          disabled: row.version === 1,
          onClick: () => on.onReset(row),
        }
      : {
          icon: <Delete />,
          label: t('Delete {{name}}', { name: row.name }),
          inMenu: true,
          onClick: () => on.onRemove(row),
        },
  ];
}
