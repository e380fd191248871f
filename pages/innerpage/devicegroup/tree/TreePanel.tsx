import Add from '@mui/icons-material/CreateNewFolderOutlined';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { claimGroup } from '../../../../shared/api/devices/deviceGroup.ts';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import type { GroupNode, GroupTree } from '../../../../shared/protocol/api/deviceGroups.ts';
import { notify } from '../../../../shared/ui/notifications.tsx';
import { AddGroupDialog, RemoveGroupDialog, RenameGroupDialog } from './GroupDialogs.tsx';
import { GroupTreeView } from './GroupTreeView.tsx';
import { type Chosen, type NewPlace, type Step, stepPlace } from './treeModel.ts';

export interface TreePanelProps {
  readonly tree: GroupTree;
  readonly chosen: Chosen;
  readonly onChoose: (id: Chosen) => void;
  readonly onMove: (group: GroupNode, place: NewPlace) => void;
  readonly onChanged: () => void;
}

type Open =
  | { readonly kind: 'add'; readonly parent: GroupNode | undefined }
  | { readonly kind: 'rename' | 'remove'; readonly group: GroupNode };

export function TreePanel(props: TreePanelProps) {
  const { tree, chosen, onChoose, onMove, onChanged } = props;
  const { t } = useTranslation('DeviceGroup');
  const [open, setOpen] = useState<Open>();
  const [menu, setMenu] = useState<{ readonly group: GroupNode; readonly anchor: HTMLElement }>();
  const parent = tree.groups.find(({ id }) => id === chosen);
  return (
    <Box component="section" aria-label={t('Device groups')} sx={PANEL}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
        <Typography component="h2" sx={{ flex: 1, fontWeight: 650, minWidth: 0 }} noWrap>
          {tree.memberGroup?.name ?? t('Device groups')}
        </Typography>
        <Button size="small" startIcon={<Add />} onClick={() => setOpen({ kind: 'add', parent })}>
          {t('Add group')}
        </Button>
      </Box>
      {tree.memberGroup === null && (
        <Alert severity="info" sx={{ fontSize: 13 }}>
          {t("You aren't in a member group. Only administrators see the groups you create.")}
        </Alert>
      )}
      <GroupTreeView
        tree={tree}
        chosen={chosen}
        onChoose={onChoose}
        onMove={onMove}
        onMenu={(group, anchor) => setMenu({ group, anchor })}
        onRename={(group) => setOpen({ kind: 'rename', group })}
        onRemove={(group) => setOpen({ kind: 'remove', group })}
      />
      {menu !== undefined && <GroupMenu {...menu} {...props} onOpen={setOpen} onClose={() => setMenu(undefined)} />}
      <OpenDialog
        open={open}
        tree={tree}
        onClose={() => setOpen(undefined)}
        onDone={(text) => {
          setOpen(undefined);
          notify('success', text);
          onChanged();
        }}
      />
    </Box>
  );
}

interface GroupMenuProps extends TreePanelProps {
  readonly group: GroupNode;
  readonly anchor: HTMLElement;
  readonly onOpen: (open: Open) => void;
  readonly onClose: () => void;
}

function GroupMenu({ tree, group, anchor, onOpen, onMove, onChanged, onClose }: GroupMenuProps) {
  const { t } = useTranslation('DeviceGroup');
  const then = (run: () => void) => () => {
    onClose();
    run();
  };
  const claim = async () => {
    const result = await claimGroup(group.id);
    if (result.ok) notify('success', t('{{name}} added to your member group.', { name: group.name }));
    else notify('error', errorText(result) ?? '');
    onChanged();
  };
  const steps: readonly { readonly step: Step; readonly label: string; readonly keys: string }[] = [
    { step: 'up', label: t('Move up'), keys: 'Alt+↑' },
    { step: 'down', label: t('Move down'), keys: 'Alt+↓' },
    { step: 'in', label: t('Move into previous group'), keys: 'Alt+→' },
    { step: 'out', label: t('Move out of parent group'), keys: 'Alt+←' },
  ];
  return (
    <Menu open anchorEl={anchor} onClose={onClose}>
      <MenuItem onClick={then(() => onOpen({ kind: 'add', parent: group }))}>{t('Add subgroup')}</MenuItem>
      <MenuItem onClick={then(() => onOpen({ kind: 'rename', group }))}>{`${t('Rename')} (F2)`}</MenuItem>
      {steps.map(({ step, label, keys }) => {
        const place = stepPlace(tree.groups, group, step);
        return (
          <MenuItem
            key={step}
            disabled={place === undefined}
            onClick={then(() => place !== undefined && onMove(group, place))}
          >
            {`${label} (${keys})`}
          </MenuItem>
        );
      })}
      {!group.owned && tree.memberGroup !== null && (
        <MenuItem onClick={then(() => void claim())}>{t('Add to {{name}}', { name: tree.memberGroup.name })}</MenuItem>
      )}
      <MenuItem onClick={then(() => onOpen({ kind: 'remove', group }))}>{t('Delete')}</MenuItem>
    </Menu>
  );
}

interface OpenDialogProps {
  readonly open: Open | undefined;
  readonly tree: GroupTree;
  readonly onDone: (text: string) => void;
  readonly onClose: () => void;
}

function OpenDialog({ open, tree, onDone, onClose }: OpenDialogProps) {
  const { t } = useTranslation('DeviceGroup');
  switch (open?.kind) {
    case undefined:
      return null;
    case 'add':
      return <AddGroupDialog parent={open.parent} onClose={onClose} onDone={() => onDone(t('Group added.'))} />;
    case 'rename':
      return <RenameGroupDialog group={open.group} onClose={onClose} onDone={() => onDone(t('Group renamed.'))} />;
    case 'remove':
      return (
        <RemoveGroupDialog
          tree={tree}
          group={open.group}
          onClose={onClose}
          onDone={() => onDone(t('Group deleted.'))}
        />
      );
  }
}

const PANEL = {
  width: { xs: '100%', md: 300 },
  flexShrink: 0,
  display: 'flex',
  flexDirection: 'column',
  gap: 1,
  minHeight: 0,
  height: { xs: 260, md: 'auto' },
} as const;
