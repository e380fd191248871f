import PersonRemove from '@mui/icons-material/PersonRemoveOutlined';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { changePeople, listMembers } from '../../../../shared/api/accounts/membership.ts';
import type { ListQuery } from '../../../../shared/api/list.ts';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import type { EditedGroup, Member, PeopleChange } from '../../../../shared/protocol/api/accounts.ts';
import { PickInput } from '../../../../shared/ui/form/PickInput.tsx';
import { notify } from '../../../../shared/ui/notifications.tsx';
import { useList } from '../../../../shared/ui/records/useList.ts';
import { useSettled } from '../../../../shared/ui/records/useSettled.ts';
import { DataTable } from '../../../../shared/ui/table/DataTable.tsx';
import { useTable } from '../../../../shared/ui/table/useTable.ts';
import { useIsNarrow } from '../../../../shared/ui/useIsNarrow.ts';

export interface PeopleDialogProps {
  readonly group: EditedGroup;
  readonly onClose: () => void;
}

/** Who belongs to a group; each change holds at once. */
export function PeopleDialog({ group, onClose }: PeopleDialogProps) {
  const { t } = useTranslation(['Membership', 'Common']);
  const titleId = useId();
  const isNarrow = useIsNarrow();
  const table = useTable({
    name: 'group-people',
    load: listMembers,
    sorting: { column: 'username', descending: false },
    scope: useMemo(() => ({ group: group.serialno }), [group.serialno]),
    changedBy: ['member', 'membergroup'],
  });
  const change = async (people: PeopleChange) => {
    const result = await changePeople(group.serialno, people);
    if (!result.ok) notify('error', errorText(result) ?? '');
    table.reload();
  };
  return (
    <Dialog open fullWidth fullScreen={isNarrow} maxWidth="sm" onClose={onClose} aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{t('Members of {{name}}', { name: group.name })}</DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 1.5, minHeight: 480 }}>
        <AddPerson onAdd={(id) => void change({ add: [id], remove: [] })} />
        <DataTable
          table={table}
          label={t('Members of {{name}}', { name: group.name })}
          columns={[
            { name: 'username', title: t('Username'), text: (row: Member) => row.username, sortable: true },
            { name: 'displayName', title: t('Display name'), text: (row: Member) => row.displayName, sortable: true },
          ]}
          rowId={(row) => row.id}
          actions={(row) => [
            {
              icon: <PersonRemove />,
              label: t('Remove {{name}} from the group', { name: row.username }),
              disabled: !row.mayPlace,
              onClick: () => void change({ add: [], remove: [row.id] }),
            },
          ]}
          actionCount={1}
          emptyHint={t('No members in this group yet. Add one below.')}
        />
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        <Button onClick={onClose}>{t('Close', { ns: 'Common' })}</Button>
      </DialogActions>
    </Dialog>
  );
}

const SEARCH_PAUSE_MS = 250;

function AddPerson({ onAdd }: { readonly onAdd: (id: number) => void }) {
  const { t } = useTranslation('Membership');
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState('');
  const found = useFoundMembers(text);
  return (
    <Box sx={{ display: 'flex', gap: 1, alignItems: 'flex-start', pt: 1 }}>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <PickInput
          field={{
            name: 'person',
            value: chosen,
            onChange: setChosen,
            onBlur: () => undefined,
            problem: undefined,
            disabled: false,
          }}
          label={t('Member to add')}
          options={found.map(({ id, username, displayName }) => ({
            value: String(id),
            label: displayName === '' ? username : `${username} · ${displayName}`,
          }))}
          onType={setText}
        />
      </Box>
      <Button
        variant="contained"
        disabled={chosen === ''}
        onClick={() => {
          onAdd(Number(chosen));
          setChosen('');
        }}
      >
        {t('Add')}
      </Button>
    </Box>
  );
}

/** Members for what is typed, asked for once typing pauses; the first of them only, so a text narrows the list. */
function useFoundMembers(typed: string): readonly Member[] {
  const search = useSettled(typed, SEARCH_PAUSE_MS);
  const query: ListQuery = { place: { offset: 0 }, limit: 20, sort: 'username', search };
  return useList({ name: 'found-members', load: listMembers, query }).page.rows;
}
