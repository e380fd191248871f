import Cancel from '@mui/icons-material/CancelOutlined';
import Download from '@mui/icons-material/FileDownloadOutlined';
import Pause from '@mui/icons-material/PauseOutlined';
import Play from '@mui/icons-material/PlayArrowOutlined';
import Replay from '@mui/icons-material/ReplayOutlined';
import Bottom from '@mui/icons-material/VerticalAlignBottomOutlined';
import Top from '@mui/icons-material/VerticalAlignTopOutlined';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { actOnSyncItems, startSyncFile } from '../../../../shared/api/sync.ts';
import type { SyncItem } from '../../../../shared/protocol/api/sync/sync.ts';
import type { SyncItemAct } from '../../../../shared/protocol/sync/syncWords.ts';
import { downloadFrom } from '../../../../shared/ui/files/browserDownload.ts';
import { notify, notifyFailure } from '../../../../shared/ui/notifications.tsx';
import type { RowAction } from '../../../../shared/ui/table/column.ts';
import { itemName } from './itemColumns.tsx';
import { mayAct } from './itemState.ts';

export type ActOnItems = (items: readonly SyncItem[], act: SyncItemAct) => void;

export const ACT_ICONS: Readonly<Record<SyncItemAct, ReactElement>> = {
  pause: <Pause />,
  resume: <Play />,
  cancel: <Cancel />,
  retry: <Replay />,
  first: <Top />,
  last: <Bottom />,
};

/** `onActed`: called when the shown items may have changed. */
export function useItemActs(onActed: () => void): ActOnItems {
  const { t } = useTranslation('Datasync');
  const done: Readonly<Record<SyncItemAct, string>> = {
    pause: t('Paused.'),
    resume: t('Resumed.'),
    cancel: t('Canceled.'),
    retry: t('Queued again.'),
    first: t('Moved to the front.'),
    last: t('Moved to the end.'),
  };
  const send = async (items: readonly SyncItem[], act: SyncItemAct) => {
    const result = await actOnSyncItems({ items: items.map(({ id }) => id), act });
    if (!result.ok) notifyFailure(result);
    else if (result.value.items > 0) notify('success', done[act]);
    onActed();
  };
  return (items, act) => void send(items, act);
}

export function useItemActions(act: ActOnItems): (item: SyncItem) => readonly RowAction[] {
  const { t } = useTranslation('Datasync');
  return (item) => {
    const name = itemName(item);
    const labels: Readonly<Record<SyncItemAct, string>> = {
      pause: t('Pause {{name}}', { name }),
      resume: t('Resume {{name}}', { name }),
      cancel: t('Cancel {{name}}', { name }),
      retry: t('Try {{name}} again', { name }),
      first: t('Fetch {{name}} first', { name }),
      last: t('Fetch {{name}} last', { name }),
    };
    const action = (which: SyncItemAct, inMenu: boolean): RowAction => ({
      icon: ACT_ICONS[which],
      label: labels[which],
      inMenu,
      disabled: !mayAct(item, which),
      onClick: () => act([item], which),
    });
    const beside: SyncItemAct = item.state === 'paused' ? 'resume' : mayAct(item, 'retry') ? 'retry' : 'pause';
    return [
      action(beside, false),
      action('first', true),
      action('last', true),
      action('cancel', true),
      {
        icon: <Download />,
        label: t('Download the file of {{name}}', { name }),
        inMenu: true,
        disabled: !item.hasFile,
        onClick: () => void download(item.id),
      },
    ];
  };
}

async function download(item: number): Promise<void> {
  const result = await startSyncFile(item);
  if (result.ok) downloadFrom(result.value);
  else notifyFailure(result);
}
