import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { changeGroup } from '../../../shared/api/devices/deviceGroup.ts';
import { errorText } from '../../../shared/i18n/errorText.ts';
import type { GroupNode, GroupTree } from '../../../shared/protocol/api/deviceGroups.ts';
import { notify } from '../../../shared/ui/notifications.tsx';
import { Waiting } from '../../../shared/ui/Waiting.tsx';
import { DevicesPane } from './DevicesPane.tsx';
import { TreePanel } from './tree/TreePanel.tsx';
import type { Chosen, NewPlace } from './tree/treeModel.ts';
import { useGroupTree } from './useGroupTree.ts';

/** The tree at the left, the devices of what is chosen in it at the right; one above the other on a narrow window. */
export function DeviceGroups() {
  const { t } = useTranslation('DeviceGroup');
  const { value: tree, failure, reload } = useGroupTree();
  const [wanted, setWanted] = useState<Chosen>('all');
  if (tree === undefined)
    return failure === undefined ? <Waiting /> : <Failure text={errorText(failure)} onRetry={reload} />;
  const chosen = isThere(tree, wanted) ? wanted : 'all';
  const move = async (group: GroupNode, place: NewPlace) => {
    const result = await changeGroup(group.id, group.version, { name: group.name, ...place });
    if (result.ok) notify('success', t('{{name}} moved.', { name: group.name }));
    else notify(isConflict(result) ? 'warning' : 'error', errorText(result) ?? '');
    reload();
  };
  return (
    <Box sx={SIDE_BY_SIDE}>
      <TreePanel
        tree={tree}
        chosen={chosen}
        onChoose={setWanted}
        onMove={(group, place) => void move(group, place)}
        onChanged={reload}
      />
      <DevicesPane tree={tree} chosen={chosen} onChanged={reload} />
    </Box>
  );
}

function Failure({ text, onRetry }: { readonly text: string | undefined; readonly onRetry: () => void }) {
  const { t } = useTranslation('Table');
  return (
    <Alert severity="error" action={<Button onClick={onRetry}>{t('Try again')}</Button>}>
      {text}
    </Alert>
  );
}

function isConflict(failure: { readonly kind: string; readonly code?: string }): boolean {
  return failure.kind === 'http' && failure.code === 'conflict';
}

/** The group that was chosen may have been deleted by somebody else. */
function isThere({ groups, ungrouped }: GroupTree, chosen: Chosen): boolean {
  if (chosen === 'all') return true;
  return chosen === 'none' ? ungrouped > 0 : groups.some(({ id }) => id === chosen);
}

const SIDE_BY_SIDE = {
  flex: 1,
  minHeight: 0,
  display: 'flex',
  flexDirection: { xs: 'column', md: 'row' },
  gap: 2,
  overflow: { xs: 'auto', md: 'visible' },
} as const;
