import AddLink from '@mui/icons-material/AddLinkOutlined';
import LinkOff from '@mui/icons-material/LinkOffOutlined';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listLinks, revokeLink } from '../../../../shared/api/links.ts';
import { listText } from '../../../../shared/i18n/listText.ts';
import {
  LINK_CHANNELS_MAX,
  LINK_STATES,
  LINKS_PATH,
  type LinkKind,
  type LinkRow,
  type LinkState,
  type MadeLink,
} from '../../../../shared/protocol/api/links.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { ConfirmDialog } from '../../../../shared/ui/ConfirmDialog.tsx';
import { notify } from '../../../../shared/ui/notifications.tsx';
import type { Column } from '../../../../shared/ui/table/column.ts';
import { DataTable } from '../../../../shared/ui/table/DataTable.tsx';
import { FilterSelect } from '../../../../shared/ui/table/FilterSelect.tsx';
import { useTable } from '../../../../shared/ui/table/useTable.ts';
import { useKindName, useStateName } from './kindNames.ts';
import { LinkDialog } from './LinkDialog.tsx';
import { MadeLinkDialog } from './MadeLinkDialog.tsx';

/** The links that the user has made, and with `system` those of others for devices of the current group. */
export function LinksTab() {
  const { t } = useTranslation('Links');
  const stateName = useStateName();
  const [state, setState] = useState<LinkState | ''>('active');
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<{ readonly link: MadeLink; readonly kinds: readonly LinkKind[] }>();
  const [revoking, setRevoking] = useState<LinkRow>();
  const table = useLinkTable(state);
  const add = (
    <Button variant="contained" size="small" startIcon={<AddLink />} onClick={() => setMaking(true)}>
      {t('Create share link')}
    </Button>
  );
  return (
    <>
      <DataTable
        table={table}
        label={t('Share links')}
        columns={useLinkColumns()}
        rowId={(row) => row.id}
        actions={(row) => [
          {
            icon: <LinkOff />,
            label: t('Revoke the share link of {{device}}', { device: row.name || row.deviceid }),
            disabled: row.state === 'revoked',
            onClick: () => setRevoking(row),
          },
        ]}
        actionCount={1}
        filters={
          <FilterSelect
            label={t('Status')}
            value={state}
            onChange={setState}
            options={LINK_STATES.map((value) => ({ value, label: stateName(value) }))}
          />
        }
        onClearFilters={() => setState('')}
        toolbar={add}
        emptyHint={t('No active share links. A share link shows one device to people without an account.')}
        emptyAction={add}
        searchHint={t('Device, note, or creator')}
        csvPath={LINKS_PATH}
        hasTimes
      />
      {isMaking && (
        <LinkDialog
          onClose={() => setMaking(false)}
          onMade={(link, kinds) => {
            setMaking(false);
            setMade({ link, kinds });
            table.reload();
          }}
        />
      )}
      {made !== undefined && <MadeLinkDialog {...made} onClose={() => setMade(undefined)} />}
      {revoking !== undefined && (
        <RevokeDialog
          link={revoking}
          onClose={() => setRevoking(undefined)}
          onDone={() => {
            setRevoking(undefined);
            notify('success', t('Share link revoked.'));
            table.reload();
          }}
        />
      )}
    </>
  );
}

function useLinkTable(state: LinkState | '') {
  return useTable({
    name: 'links',
    load: listLinks,
    sorting: { column: 'created', descending: true },
    // The list shows active links at first: when there are none, nothing more needs to be said.
    filters: useMemo(() => (state === 'active' ? {} : { state }), [state]),
    scope: useMemo(() => (state === 'active' ? { state } : {}), [state]),
    changedBy: ['link'],
  });
}

interface RevokeDialogProps {
  readonly link: LinkRow;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function RevokeDialog({ link, onClose, onDone }: RevokeDialogProps) {
  const { t } = useTranslation('Links');
  return (
    <ConfirmDialog
      title={t('Revoke the share link of {{device}}?', { device: link.name || link.deviceid })}
      text={
        link.note === ''
          ? t("Anyone with this link loses access within 2 seconds. This can't be undone.")
          : t("Anyone with this link ({{note}}) loses access within 2 seconds. This can't be undone.", {
              note: link.note,
            })
      }
      action={t('Revoke')}
      danger
      onConfirm={() => revokeLink(link.id)}
      onDone={onDone}
      onClose={onClose}
    />
  );
}

const STATE_COLORS = { active: 'success', expired: 'default', revoked: 'default' } as const;

function useLinkColumns(): readonly Column<LinkRow>[] {
  const { t } = useTranslation('Links');
  const zone = useUserZone();
  const kindName = useKindName();
  const stateName = useStateName();
  const moment = (atMs: number, none: string): string => (atMs === 0 ? none : formatTimestamp(atMs, zone));
  const stateChip = (row: LinkRow): ReactNode => (
    <Chip size="small" variant="outlined" color={STATE_COLORS[row.state]} label={stateName(row.state)} />
  );
  return [
    { name: 'device', title: t('Device'), text: (row) => row.name || row.deviceid, sortable: true, minWidth: 120 },
    { name: 'deviceid', title: t('Device ID'), text: (row) => row.deviceid, hiddenAtFirst: true },
    { name: 'plate', title: t('Plate number'), text: (row) => row.plate, hiddenAtFirst: true, width: 110 },
    { name: 'note', title: t('Note'), text: (row) => row.note, sortable: true, minWidth: 140 },
    { name: 'kinds', title: t('Access'), text: (row) => listText(row.kinds.map(kindName)), minWidth: 160 },
    { name: 'channels', title: t('Channels'), text: (row) => channelText(row, t('All')), width: 100 },
    { name: 'state', title: t('Status'), text: (row) => stateName(row.state), render: stateChip, width: 110 },
    {
      name: 'until',
      title: t('Expiry'),
      text: (row) => moment(row.untilMs, t('No expiry')),
      sortable: true,
      isTimestamp: true,
      width: 170,
    },
    {
      name: 'used',
      title: t('Last used'),
      text: (row) => moment(row.lastUsedAtMs, t('Never')),
      sortable: true,
      isTimestamp: true,
      width: 170,
    },
    { name: 'uses', title: t('Uses'), text: (row) => String(row.useCount), sortable: true, width: 90, align: 'right' },
    { name: 'lastAddress', title: t('Source IP'), text: (row) => row.lastAddress, width: 130 },
    { name: 'owner', title: t('Created by'), text: (row) => row.owner, sortable: true, width: 120 },
    {
      name: 'created',
      title: t('Created'),
      text: (row) => moment(row.createdAtMs, ''),
      sortable: true,
      isTimestamp: true,
      hiddenAtFirst: true,
      width: 170,
    },
  ];
}

function channelText({ channels }: LinkRow, all: string): string {
  return channels.length === LINK_CHANNELS_MAX ? all : listText(channels);
}
