import Edit from '@mui/icons-material/EditOutlined';
import LinkIcon from '@mui/icons-material/LinkOutlined';
import LockReset from '@mui/icons-material/LockResetOutlined';
import PersonAdd from '@mui/icons-material/PersonAddOutlined';
import PersonRemove from '@mui/icons-material/PersonRemoveOutlined';
import PhonelinkErase from '@mui/icons-material/PhonelinkEraseOutlined';
import Button from '@mui/material/Button';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listMembers } from '../../../../shared/api/accounts/membership.ts';
import { type IssuedInvitation, MEMBERS_PATH, type Member } from '../../../../shared/protocol/api/accounts.ts';
import { notify } from '../../../../shared/ui/notifications.tsx';
import type { RowAction } from '../../../../shared/ui/table/column.ts';
import { DataTable } from '../../../../shared/ui/table/DataTable.tsx';
import { useTable } from '../../../../shared/ui/table/useTable.ts';
import { useChoices } from '../choices.ts';
import { InvitationDialog } from './InvitationDialog.tsx';
import { type MemberAction, MemberActionDialog } from './MemberActionDialog.tsx';
import { MemberDialog } from './MemberDialog.tsx';
import { MemberFilters, type MembersFilter, NO_FILTER } from './MemberFilters.tsx';
import { useMemberColumns } from './memberColumns.tsx';

type Open =
  | { readonly kind: 'form'; readonly member: Member | undefined }
  | { readonly kind: 'action'; readonly action: MemberAction; readonly member: Member }
  | { readonly kind: 'invitation'; readonly name: string; readonly invitation: IssuedInvitation };

/** The people whom the user may see. */
export function MembersTab() {
  const { t } = useTranslation('Membership');
  const choices = useChoices();
  const [filter, setFilter] = useState<MembersFilter>(NO_FILTER);
  const [open, setOpen] = useState<Open>();
  const table = useMemberTable(filter);
  const add = (
    <Button
      variant="contained"
      size="small"
      startIcon={<PersonAdd />}
      onClick={() => setOpen({ kind: 'form', member: undefined })}
    >
      {t('Add member')}
    </Button>
  );
  const done = (text: string, name: string, invitation: IssuedInvitation | undefined) => {
    setOpen(invitation === undefined ? undefined : { kind: 'invitation', name, invitation });
    notify('success', text);
    table.reload();
  };
  return (
    <>
      <DataTable
        table={table}
        label={t('Members')}
        columns={useMemberColumns(choices)}
        rowId={(row) => row.id}
        onOpen={(member) => member.mayEdit && setOpen({ kind: 'form', member })}
        actions={useMemberActions(setOpen)}
        filters={<MemberFilters filter={filter} choices={choices} onChange={setFilter} />}
        onClearFilters={() => setFilter(NO_FILTER)}
        toolbar={add}
        emptyHint={t('No members yet. Add one.')}
        emptyAction={add}
        searchHint={t('Name')}
        csvPath={MEMBERS_PATH}
        hasTimes
      />
      {open?.kind === 'form' && choices.isKnown && (
        <MemberDialog
          member={open.member}
          choices={choices}
          onSaved={(name, invitation) => done(t('Member saved.'), name, invitation)}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open?.kind === 'action' && (
        <MemberActionDialog
          action={open.action}
          member={open.member}
          onDone={(text, invitation) => done(text, open.member.username, invitation)}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open?.kind === 'invitation' && <InvitationDialog {...open} onClose={() => setOpen(undefined)} />}
    </>
  );
}

function useMemberTable(filter: MembersFilter) {
  return useTable({
    name: 'members',
    load: listMembers,
    sorting: { column: 'username', descending: false },
    filters: useMemo(() => ({ ...filter }), [filter]),
    changedBy: ['member'],
  });
}

function useMemberActions(setOpen: (open: Open) => void): (member: Member) => readonly RowAction[] {
  const { t } = useTranslation('Membership');
  return (member) => {
    const name = member.username;
    const act = (action: MemberAction) => () => setOpen({ kind: 'action', action, member });
    const locked = !member.mayEdit || member.isSelf;
    const inMenu = { inMenu: true, disabled: locked };
    return [
      {
        icon: <Edit />,
        label: t('Edit {{name}}', { name }),
        disabled: !member.mayEdit,
        onClick: () => setOpen({ kind: 'form', member }),
      },
      {
        icon: <LinkIcon />,
        label: t('Create an invitation link for {{name}}', { name }),
        onClick: act('invite'),
        ...inMenu,
      },
      { icon: <LockReset />, label: t('Set the password of {{name}}', { name }), onClick: act('password'), ...inMenu },
      {
        icon: <PhonelinkErase />,
        label: t('Reset 2FA of {{name}}', { name }),
        onClick: act('second-factor'),
        inMenu: true,
        disabled: locked || !member.secondFactor,
      },
      { icon: <PersonRemove />, label: t('Delete {{name}}', { name }), onClick: act('remove'), ...inMenu },
    ];
  };
}
