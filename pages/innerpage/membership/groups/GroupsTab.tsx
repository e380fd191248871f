import Delete from '@mui/icons-material/DeleteOutlined';
import Edit from '@mui/icons-material/EditOutlined';
import GroupAdd from '@mui/icons-material/GroupAddOutlined';
import People from '@mui/icons-material/PeopleOutlined';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listGroups, removeGroup } from '../../../../shared/api/accounts/membership.ts';
import { listText } from '../../../../shared/i18n/listText.ts';
import { type EditedGroup, GROUPS_PATH } from '../../../../shared/protocol/api/accounts.ts';
import { Permission } from '../../../../shared/protocol/permissions.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { ConfirmDialog } from '../../../../shared/ui/ConfirmDialog.tsx';
import { notify } from '../../../../shared/ui/notifications.tsx';
import { useSession } from '../../../../shared/ui/session.ts';
import type { Column } from '../../../../shared/ui/table/column.ts';
import { DataTable } from '../../../../shared/ui/table/DataTable.tsx';
import { useTable } from '../../../../shared/ui/table/useTable.ts';
import { type Choices, useChoices } from '../choices.ts';
import { GroupDialog } from './GroupDialog.tsx';
import { PeopleDialog } from './PeopleDialog.tsx';

type Open = { readonly kind: 'form' | 'people' | 'remove'; readonly group: EditedGroup } | { readonly kind: 'new' };

export function GroupsTab() {
  const { t } = useTranslation('Membership');
  const choices = useChoices();
  const [open, setOpen] = useState<Open>();
  const mayChange = useMayRunAccounts();
  const table = useTable({
    name: 'member-groups',
    load: listGroups,
    sorting: { column: 'name', descending: false },
    changedBy: ['membergroup', 'member'],
  });
  const done = (text?: string) => {
    setOpen(undefined);
    if (text !== undefined) notify('success', text);
    table.reload();
  };
  const add = mayChange && (
    <Button variant="contained" size="small" startIcon={<GroupAdd />} onClick={() => setOpen({ kind: 'new' })}>
      {t('Add member group')}
    </Button>
  );
  return (
    <>
      <DataTable
        table={table}
        label={t('Member groups')}
        columns={useGroupColumns(choices)}
        rowId={(row) => row.serialno}
        onOpen={(group) => setOpen({ kind: mayChange ? 'form' : 'people', group })}
        actions={useGroupActions(mayChange, setOpen)}
        toolbar={add}
        emptyHint={t('No member groups yet. Add one to set which devices members can see.')}
        emptyAction={add}
        searchHint={t('Name')}
        csvPath={GROUPS_PATH}
      />
      {(open?.kind === 'form' || open?.kind === 'new') && choices.isKnown && (
        <GroupDialog
          group={open.kind === 'form' ? open.group : undefined}
          choices={choices}
          onSaved={() => done(t('Member group saved.'))}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open?.kind === 'people' && <PeopleDialog group={open.group} onClose={() => done()} />}
      {open?.kind === 'remove' && (
        <ConfirmDialog
          title={t('Delete {{name}}?', { name: open.group.name })}
          text={t("Members can't see its devices anymore. Devices and recordings stay. This can't be undone.")}
          action={t('Delete')}
          danger
          onConfirm={() => removeGroup(open.group)}
          onDone={() => done(t('Member group deleted.'))}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}

/** Whether the user reaches beyond the own groups. */
export function useMayRunAccounts(): boolean {
  const session = useSession();
  return session.kind === 'signed-in' && session.status.permission.includes(Permission.System);
}

function useGroupActions(mayChange: boolean, onOpen: (open: Open) => void) {
  const { t } = useTranslation('Membership');
  return (group: EditedGroup) => [
    {
      icon: <People />,
      label: t('Members of {{name}}', { name: group.name }),
      onClick: () => onOpen({ kind: 'people', group }),
    },
    {
      icon: <Edit />,
      label: t('Edit {{name}}', { name: group.name }),
      inMenu: true,
      disabled: !mayChange,
      onClick: () => onOpen({ kind: 'form', group }),
    },
    {
      icon: <Delete />,
      label: t('Delete {{name}}', { name: group.name }),
      inMenu: true,
      disabled: !mayChange,
      onClick: () => onOpen({ kind: 'remove', group }),
    },
  ];
}

function useGroupColumns({ deviceGroups }: Choices): readonly Column<EditedGroup>[] {
  const { t } = useTranslation('Membership');
  const zone = useUserZone();
  const names = (row: EditedGroup) =>
    listText(row.deviceGroups.map((serialno) => deviceGroups.find((each) => each.serialno === serialno)?.name ?? ''));
  return [
    { name: 'name', title: t('Name'), text: (row) => row.name, sortable: true, minWidth: 160 },
    {
      name: 'people',
      title: t('Members'),
      text: (row) => String(row.people),
      sortable: true,
      width: 100,
      align: 'right',
    },
    { name: 'deviceGroups', title: t('Device groups'), text: names, minWidth: 200 },
    {
      name: 'retentionDays',
      title: t('Retention (days)'),
      text: (row) => (row.retentionDays === 0 ? t('No limit') : String(row.retentionDays)),
      sortable: true,
      width: 140,
      align: 'right',
    },
    {
      name: 'expiresAtMs',
      title: t('Record expiry'),
      text: (row) => (row.expiresAtMs === 0 ? t('Never') : formatTimestamp(row.expiresAtMs, zone)),
      sortable: true,
      width: 190,
    },
  ];
}
