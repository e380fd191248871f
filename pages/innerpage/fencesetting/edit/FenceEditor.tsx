import ArrowBack from '@mui/icons-material/ArrowBackOutlined';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Tab from '@mui/material/Tab';
import Typography from '@mui/material/Typography';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { leaveAfterAsking } from '../../../../shared/ui/form/unsaved.ts';
import { TabRow } from '../../../../shared/ui/TabRow.tsx';
import type { FenceMap } from '../map/fenceMap.ts';
import { TerminalsTab } from '../terminals/TerminalsTab.tsx';
import { FenceForm } from './FenceForm.tsx';
import type { OpenedFence } from './openedFence.ts';

export interface FenceEditorProps {
  readonly opened: OpenedFence;
  /** Undefined when there is no map. */
  readonly map: FenceMap | undefined;
  readonly onClose: () => void;
}

/** One fence: what it is, and for a stored one what terminals have of it. */
export function FenceEditor({ opened, map, onClose }: FenceEditorProps) {
  const { t } = useTranslation('FenceSetting');
  const fence = 'fence' in opened ? opened.fence : undefined;
  const [tab, setTab] = useState('fence' in opened ? opened.tab : 'settings');
  useEffect(() => {
    if (fence !== undefined) map?.lookAt(fence);
  }, [map, fence]);
  const close = () => leaveAfterAsking(onClose);
  return (
    <>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, minWidth: 0 }}>
        <Button size="small" startIcon={<ArrowBack />} onClick={close} sx={{ flexShrink: 0 }}>
          {t('All geofences')}
        </Button>
        <Typography component="h2" sx={{ fontSize: 16, fontWeight: 650, minWidth: 0, overflowWrap: 'anywhere' }}>
          {fence === undefined ? t('Add geofence') : fence.name}
        </Typography>
      </Box>
      {fence !== undefined && (
        <TabRow
          value={tab}
          onChange={(_, next: typeof tab) => setTab(next)}
          aria-label={t('Geofence')}
          sx={{ minHeight: 40, borderBottom: 1, borderColor: 'divider', flexShrink: 0 }}
        >
          <Tab value="settings" label={t('Settings')} id="tab-settings" aria-controls="fence-settings" sx={TAB} />
          <Tab value="terminals" label={t('Terminals')} id="tab-terminals" aria-controls="fence-terminals" sx={TAB} />
        </TabRow>
      )}
      {/* It stays while the other tab is looked at: what is typed and drawn isn't lost. */}
      <Box
        {...(fence === undefined ? {} : { role: 'tabpanel', 'aria-labelledby': 'tab-settings' })}
        id="fence-settings"
        sx={tab === 'settings' ? PANEL : { display: 'none' }}
      >
        <FenceForm opened={opened} map={map} onSaved={onClose} onCancel={close} />
      </Box>
      {fence !== undefined && (
        <Box
          id="fence-terminals"
          role="tabpanel"
          aria-labelledby="tab-terminals"
          sx={tab === 'terminals' ? PANEL : { display: 'none' }}
        >
          {tab === 'terminals' && <TerminalsTab fence={fence} />}
        </Box>
      )}
    </>
  );
}

const TAB = { minHeight: 40, textTransform: 'none' } as const;
const PANEL = {
  display: 'flex',
  flexDirection: 'column',
  flex: 1,
  minHeight: 0,
  minWidth: 0,
  overflowY: 'auto',
} as const;
