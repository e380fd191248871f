import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import type { DashboardFigures } from '../../../../shared/protocol/api/fleet.ts';
import { Permission } from '../../../../shared/protocol/permissions.ts';
import type { LoadedRecord } from '../../../../shared/ui/records/useRecord.ts';
import type { Card } from '../fleetFilter.ts';
import { BusiestDevices } from './BusiestDevices.tsx';
import { EventTypes } from './EventTypes.tsx';
import { percentText } from './figureTexts.ts';
import { OnlineChart } from './OnlineChart.tsx';
import { Part } from './Part.tsx';
import { PolledPart } from './PolledPart.tsx';
import { SystemPart } from './SystemPart.tsx';

export interface FiguresViewProps {
  readonly figures: LoadedRecord<DashboardFigures>;
  readonly permissions: readonly string[];
  readonly onDevice: (deviceId: string) => void;
  readonly onCard: (card: Card) => void;
  /** To the devices that had an event of this type in the last 24 hours. */
  readonly onEventType: (type: string, name: string) => void;
}

export function FiguresView(props: FiguresViewProps) {
  const { t } = useTranslation('Dashboard');
  return (
    <Box tabIndex={0} role="group" aria-label={t('Statistics')} sx={GRID}>
      <PolledPart figures={props.figures}>{(figures) => <FleetFigures {...props} figures={figures} />}</PolledPart>
      {props.permissions.includes(Permission.System) && <SystemPart />}
    </Box>
  );
}

interface FleetFiguresProps extends Omit<FiguresViewProps, 'figures'> {
  readonly figures: DashboardFigures;
}

function FleetFigures({ figures, permissions, onDevice, onCard, onEventType }: FleetFiguresProps) {
  const { t } = useTranslation('Dashboard');
  const { onlineDay, onlineMonth } = figures;
  return (
    <>
      <Part title={t('Online rate, 24 h: {{rate}}', { rate: percentText(onlineDay.rate) })}>
        <OnlineChart rate={onlineDay} withDays={false} label={t('Online rate, 24 h')} />
        <Button size="small" sx={{ alignSelf: 'flex-start' }} onClick={() => onCard('offline')}>
          {t('Show offline devices')}
        </Button>
      </Part>
      <Part title={t('Online rate, 30 days: {{rate}}', { rate: percentText(onlineMonth.rate) })}>
        <OnlineChart rate={onlineMonth} withDays label={t('Online rate, 30 days')} />
        <Button size="small" sx={{ alignSelf: 'flex-start' }} onClick={() => onCard('never')}>
          {t('Show devices never connected')}
        </Button>
      </Part>
      <Part title={t('Events by type, 24 h')}>
        <EventTypes
          events={figures.events}
          hasHistory={permissions.includes(Permission.Event)}
          onType={onEventType}
          onShowActive={() => onCard('alarm')}
        />
      </Part>
      <Part title={t('Devices with the most events, 24 h')}>
        <BusiestDevices devices={figures.busiest} onDevice={onDevice} />
      </Part>
    </>
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
