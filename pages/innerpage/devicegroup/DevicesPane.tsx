// The devices of what is chosen in the tree, and everything that is done with them.
import RecordIcon from '@mui/icons-material/FiberSmartRecordOutlined';
import SensorsIcon from '@mui/icons-material/SensorsOutlined';
import UploadFile from '@mui/icons-material/UploadFileOutlined';
import Badge from '@mui/material/Badge';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getCommonRecording, getDevice } from '../../../shared/api/devices/deviceGroup.ts';
import { errorText } from '../../../shared/i18n/errorText.ts';
import type { GroupNode, GroupTree } from '../../../shared/protocol/api/deviceGroups.ts';
import type { CommonRecording } from '../../../shared/protocol/api/deviceRecording.ts';
import type { DeviceDetail, DeviceRow } from '../../../shared/protocol/api/devices.ts';
import type { WaitingTerminal } from '../../../shared/protocol/api/terminals.ts';
import { notify } from '../../../shared/ui/notifications.tsx';
import { CommonRecordingDialog } from './devices/CommonRecordingDialog.tsx';
import { DeviceDialog } from './devices/DeviceDialog.tsx';
import { MoveDialog, RemoveDeviceDialog } from './devices/DeviceDialogs.tsx';
import { DevicesTable, useDeviceTable } from './devices/DevicesTable.tsx';
import type { DeviceTab } from './devices/deviceForm.ts';
import { ImportDialog } from './import/ImportDialog.tsx';
import { AdoptDialog } from './terminals/AdoptDialog.tsx';
import { TerminalsDialog } from './terminals/TerminalsDialog.tsx';
import { isOpen, useTerminals } from './terminals/useTerminals.ts';
import { AddGroupDialog } from './tree/GroupDialogs.tsx';
import type { Chosen } from './tree/treeModel.ts';

type Open =
  | { readonly kind: 'import' | 'terminals' | 'first-group' }
  | { readonly kind: 'device'; readonly device: DeviceDetail; readonly tab: DeviceTab }
  /** `common`: what the new device inherits. */
  | { readonly kind: 'new'; readonly common: CommonRecording; readonly group?: number | undefined }
  | { readonly kind: 'recording'; readonly common: CommonRecording }
  | { readonly kind: 'move'; readonly deviceids: readonly string[]; readonly name: string | undefined }
  | { readonly kind: 'remove'; readonly device: DeviceRow }
  | { readonly kind: 'adopt'; readonly terminal: WaitingTerminal };

export interface DevicesPaneProps {
  readonly tree: GroupTree;
  readonly chosen: Chosen;
  /** Devices have come, gone or moved: the tree's counts are no longer right. */
  readonly onChanged: () => void;
}

export function DevicesPane({ tree, chosen, onChanged }: DevicesPaneProps) {
  const { t } = useTranslation('DeviceGroup');
  const list = useDeviceTable(chosen);
  const { terminals, reload: reloadTerminals } = useTerminals();
  const [open, setOpen] = useState<Open>();
  const [selected, setSelected] = useState<readonly string[]>([]);
  const changed = (text: string) => {
    notify('success', text);
    list.table.reload();
    onChanged();
  };
  const openDevice = async ({ deviceid }: DeviceRow, tab: DeviceTab) => {
    const result = await getDevice(deviceid);
    if (result.ok) setOpen({ kind: 'device', device: result.value, tab });
    else notify('error', errorText(result) ?? '');
  };
  const openWithCommon = async (kind: 'new' | 'recording', group?: number) => {
    const result = await getCommonRecording();
    if (result.ok) setOpen(kind === 'new' ? { kind, common: result.value, group } : { kind, common: result.value });
    else notify('error', errorText(result) ?? '');
  };
  const done = (text: string) => {
    setOpen(undefined);
    changed(text);
  };
  return (
    <Box component="section" aria-label={t('Devices')} sx={PANE}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, justifyContent: 'flex-end' }}>
        <Button size="small" startIcon={<RecordIcon />} onClick={() => void openWithCommon('recording')}>
          {t('Default recording')}
        </Button>
        <TerminalsButton terminals={terminals} onClick={() => setOpen({ kind: 'terminals' })} />
        <Button size="small" startIcon={<UploadFile />} onClick={() => setOpen({ kind: 'import' })}>
          {t('Import')}
        </Button>
      </Box>
      <DevicesTable
        {...list}
        chosen={selected}
        onSelect={setSelected}
        onAdd={() => {
          // A device always stands in a group.
          if (tree.groups.length === 0) setOpen({ kind: 'first-group' });
          else void openWithCommon('new');
        }}
        onOpen={(row, tab) => void openDevice(row, tab)}
        onMove={(deviceids, name) => setOpen({ kind: 'move', deviceids, name })}
        onRemove={(device) => setOpen({ kind: 'remove', device })}
      />
      {open !== undefined && (
        <OpenDialog
          open={open}
          tree={tree}
          chosen={chosen}
          terminals={terminals}
          done={done}
          setOpen={setOpen}
          onGroup={({ id }) => {
            onChanged();
            void openWithCommon('new', id);
          }}
          onMoved={(count) => {
            setSelected([]);
            done(t('Devices moved: {{count}}', { count }));
          }}
          onTerminals={() => {
            reloadTerminals();
            list.table.reload();
            onChanged();
          }}
        />
      )}
    </Box>
  );
}

interface TerminalsButtonProps {
  readonly terminals: readonly WaitingTerminal[];
  readonly onClick: () => void;
}

function TerminalsButton({ terminals, onClick }: TerminalsButtonProps) {
  const { t } = useTranslation('DeviceGroup');
  const count = terminals.filter(isOpen).length;
  return (
    <Button
      size="small"
      startIcon={
        <Badge badgeContent={count} max={999} color="error">
          <SensorsIcon fontSize="small" />
        </Badge>
      }
      onClick={onClick}
      aria-label={t('Terminals awaiting approval: {{count}}', { count })}
      sx={{ '& .MuiButton-startIcon': { mr: count > 0 ? 1.75 : 1 } }}
    >
      {t('Terminals awaiting approval')}
    </Button>
  );
}

interface OpenDialogProps {
  readonly open: Open;
  readonly tree: GroupTree;
  readonly chosen: Chosen;
  readonly terminals: readonly WaitingTerminal[];
  readonly done: (text: string) => void;
  readonly setOpen: (open: Open | undefined) => void;
  /** The first group was added, for the device that is to stand in it. */
  readonly onGroup: (group: GroupNode) => void;
  readonly onMoved: (count: number) => void;
  readonly onTerminals: () => void;
}

function OpenDialog({ open, tree, chosen, terminals, done, setOpen, onGroup, onMoved, onTerminals }: OpenDialogProps) {
  const { t } = useTranslation('DeviceGroup');
  const group = groupFor(tree, chosen);
  const close = () => setOpen(undefined);
  switch (open.kind) {
    case 'import':
      return (
        <ImportDialog
          tree={tree}
          group={group ?? undefined}
          onDone={() => done(t('Import complete.'))}
          onClose={close}
        />
      );
    case 'terminals': {
      const adopt = (terminal: WaitingTerminal) => setOpen({ kind: 'adopt', terminal });
      return <TerminalsDialog terminals={terminals} onAdopt={adopt} onChanged={onTerminals} onClose={close} />;
    }
    case 'first-group':
      return (
        <AddGroupDialog
          parent={undefined}
          hint={t('A device needs a group. Add the first one, then the device.')}
          onDone={onGroup}
          onClose={close}
        />
      );
    case 'adopt': {
      const adopted = ({ name }: DeviceDetail) => {
        onTerminals();
        done(t('{{name}} adopted. The terminal can connect on its next attempt.', { name }));
      };
      return <AdoptDialog terminal={open.terminal} tree={tree} group={group} onDone={adopted} onClose={close} />;
    }
    case 'new':
    case 'device': {
      const device = open.kind === 'new' ? undefined : open.device;
      const inherited = open.kind === 'new' ? open.common.policy : open.device.inherited;
      const tab = open.kind === 'new' ? 'general' : open.tab;
      const saved = ({ name }: DeviceDetail) => done(t('{{name}} saved.', { name }));
      return (
        <DeviceDialog
          tree={tree}
          device={device}
          inherited={inherited}
          group={(open.kind === 'new' ? open.group : undefined) ?? group}
          firstTab={tab}
          onDone={saved}
          onClose={close}
        />
      );
    }
    case 'recording': {
      const saved = () => done(t('Default recording saved.'));
      return <CommonRecordingDialog common={open.common} onDone={saved} onClose={close} />;
    }
    case 'move':
      return <MoveDialog tree={tree} deviceids={open.deviceids} name={open.name} onDone={onMoved} onClose={close} />;
    case 'remove':
      return <RemoveDeviceDialog device={open.device} onDone={() => done(t('Device deleted.'))} onClose={close} />;
  }
}

/** The group for something new: the chosen group, or the only one there is. */
function groupFor({ groups }: GroupTree, chosen: Chosen): number | null {
  if (typeof chosen === 'number') return chosen;
  const [only] = groups;
  return groups.length === 1 && only !== undefined ? only.id : null;
}

const PANE = {
  flex: 1,
  minWidth: 0,
  minHeight: { xs: 520, md: 0 },
  display: 'flex',
  flexDirection: 'column',
  gap: 1,
} as const;
