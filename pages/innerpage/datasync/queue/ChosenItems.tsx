import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import type { SyncItem } from '../../../../shared/protocol/api/sync/sync.ts';
import { SYNC_ITEM_ACTS, type SyncItemAct } from '../../../../shared/protocol/sync/syncWords.ts';
import { SelectionBar } from '../../../../shared/ui/table/SelectionBar.tsx';
import { mayAct } from './itemState.ts';
import { ACT_ICONS, type ActOnItems } from './useItemActs.tsx';

export interface ChosenItemsProps {
  readonly items: readonly SyncItem[];
  readonly onAct: ActOnItems;
  readonly onClear: () => void;
}

/** What is done with several items: with those of them that it applies to. */
export function ChosenItems({ items, onAct, onClear }: ChosenItemsProps) {
  const { t } = useTranslation('Datasync');
  const names: Readonly<Record<SyncItemAct, string>> = {
    pause: t('Pause'),
    resume: t('Resume'),
    cancel: t('Cancel'),
    retry: t('Try again'),
    first: t('Fetch first'),
    last: t('Fetch last'),
  };
  return (
    <SelectionBar label={t('Selected recordings')} count={items.length} onClear={onClear}>
      {SYNC_ITEM_ACTS.map((act) => (
        <Button
          key={act}
          size="small"
          startIcon={ACT_ICONS[act]}
          disabled={!items.some((item) => mayAct(item, act))}
          onClick={() =>
            onAct(
              items.filter((item) => mayAct(item, act)),
              act,
            )
          }
        >
          {names[act]}
        </Button>
      ))}
    </SelectionBar>
  );
}
