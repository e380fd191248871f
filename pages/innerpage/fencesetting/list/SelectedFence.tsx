import CenterFocusStrong from '@mui/icons-material/CenterFocusStrong';
import Edit from '@mui/icons-material/EditOutlined';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getFence } from '../../../../shared/api/fences.ts';
import type { ShownFence } from '../../../../shared/protocol/api/fences/fences.ts';
import { notifyFailure } from '../../../../shared/ui/notifications.tsx';
import type { OpenedFence } from '../edit/openedFence.ts';
import { useKindText } from '../fenceTexts.ts';

export interface SelectedFenceProps {
  readonly selected: ShownFence;
  readonly onLook: (fence: ShownFence) => void;
  readonly onOpen: (opened: OpenedFence) => void;
}

/** The one that was clicked on the map, which the list need not be showing. */
export function SelectedFence({ selected, onLook, onOpen }: SelectedFenceProps) {
  const { t } = useTranslation('FenceSetting');
  const kindText = useKindText();
  const [isBusy, setBusy] = useState(false);
  const edit = async () => {
    setBusy(true);
    const result = await getFence(selected.id);
    setBusy(false);
    if (result.ok) onOpen({ fence: result.value, tab: 'settings' });
    else notifyFailure(result);
  };
  return (
    <Box role="group" aria-label={t('Selected geofence')} sx={BAR}>
      <Box component="span" sx={{ flex: '1 1 120px', minWidth: 0, overflowWrap: 'anywhere' }}>
        <strong>{selected.name}</strong> {kindText(selected.kind)}
      </Box>
      <Button size="small" startIcon={<CenterFocusStrong />} onClick={() => onLook(selected)}>
        {t('Show on map')}
      </Button>
      <Button size="small" startIcon={<Edit />} loading={isBusy} onClick={() => void edit()}>
        {t('Edit')}
      </Button>
    </Box>
  );
}

const BAR = {
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: 1,
  px: 1.5,
  py: 0.5,
  fontSize: 14,
  border: 1,
  borderColor: 'divider',
  borderRadius: 1,
} as const;
