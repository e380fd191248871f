import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import type { DashboardFigures } from '../../../../shared/protocol/api/dashboard.ts';
import { Permission } from '../../../../shared/protocol/permissions.ts';
import { Waiting } from '../../../../shared/ui/Waiting.tsx';
import type { Card } from '../fleetFilter.ts';
import { AlarmKinds } from './AlarmKinds.tsx';
import { BusiestDevices } from './BusiestDevices.tsx';
import { percentText } from './figureTexts.ts';
import { OnlineChart } from './OnlineChart.tsx';
import { Part } from './Part.tsx';
import { SystemPart } from './SystemPart.tsx';

export interface FiguresViewProps {
  readonly figures: DashboardFigures | undefined;
  readonly permissions: readonly string[];
  readonly onDevice: (deviceId: string) => void;
  readonly onCard: (card: Card) => void;
}

export function FiguresView({ figures, permissions, onDevice, onCard }: FiguresViewProps) {
  const { t } = useTranslation('Dashboard');
  if (figures === undefined) return <Waiting />;
  const { onlineDay, onlineMonth } = figures;
  return (
    <Box tabIndex={0} role="group" aria-label={t('Figures')} sx={GRID}>
      <Part title={`${t('Online, 24 h')}: ${percentText(onlineDay.rate)}`}>
        <OnlineChart rate={onlineDay} withDays={false} label={t('Online, 24 h')} />
      </Part>
      <Part title={`${t('Online, 30 days')}: ${percentText(onlineMonth.rate)}`}>
        <OnlineChart rate={onlineMonth} withDays label={t('Online, 30 days')} />
      </Part>
      <Part title={t('Alarms of the last 24 hours, by kind')}>
        <AlarmKinds alarms={figures.alarms} onShow={() => onCard('alarm')} />
      </Part>
      <Part title={t('Devices with most alarms, 24 h')}>
        <BusiestDevices devices={figures.busiest} onDevice={onDevice} />
      </Part>
      {permissions.includes(Permission.System) && <SystemPart />}
    </Box>
  );
}

const GRID = {
  flex: 1,
  minHeight: 0,
  overflowY: 'auto',
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 420px), 1fr))',
  alignContent: 'start',
  gap: 1.5,
  p: 1.5,
} as const;
