import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { linkToEvent } from '../../../../shared/ui/events/historyLink.ts';
import { PageTabs, pageTabPanel } from '../../../../shared/ui/frame/PageTabs.tsx';
import { Waiting } from '../../../../shared/ui/Waiting.tsx';
import type { TimeRange } from '../clock/ranges.ts';
import { MomentList } from './MomentList.tsx';
import { PointTable } from './PointTable.tsx';
import type { ListedMoments } from './useListedMoments.ts';

const SIDE_TABS = ['trips', 'stops', 'events', 'points'] as const;
export type SideTab = (typeof SIDE_TABS)[number];

export interface SideTabsProps {
  readonly tab: SideTab;
  readonly onTab: (tab: SideTab) => void;
  readonly deviceId: string;
  readonly span: TimeRange;
  readonly lists: ListedMoments;
  readonly isKnown: boolean;
  readonly isCut: boolean;
  /** The event that was chosen last. */
  readonly eventId: number | undefined;
  readonly onEvent: (eventId: number) => void;
}

/** What the map shows, as lists. */
export function SideTabs({ tab, onTab, deviceId, span, lists, isKnown, isCut, eventId, onEvent }: SideTabsProps) {
  const { t } = useTranslation('GpsPlayback');
  const count = (name: string, moments: readonly unknown[]) => (isKnown ? `${name} (${moments.length})` : name);
  const titles = [
    ['trips', count(t('Trips'), lists.trips)],
    ['stops', count(t('Stops'), lists.stops)],
    ['events', count(t('Events'), lists.events)],
    ['points', t('Points')],
  ] as const;
  return (
    <Box sx={COLUMN}>
      <PageTabs tab={tab} titles={titles} label={t('Lists')} onChange={onTab} />
      <Box {...pageTabPanel(tab)} sx={COLUMN}>
        {isCut && tab !== 'points' && (
          <Box role="status" sx={{ px: 1.5, py: 0.5, fontSize: 13, color: 'warning.main' }}>
            {t('Only the first entries are shown. Choose a shorter period to see all.')}
          </Box>
        )}
        {tab === 'points' && (
          <PointTable key={`${deviceId} ${span.fromMs} ${span.toMs}`} deviceId={deviceId} span={span} />
        )}
        {tab !== 'points' && !isKnown && <Waiting />}
        {tab === 'trips' && isKnown && (
          <MomentList label={t('Trips')} moments={lists.trips} emptyText={t('No trips in this period.')} />
        )}
        {tab === 'stops' && isKnown && (
          <MomentList label={t('Stops')} moments={lists.stops} emptyText={t('No stops in this period.')} />
        )}
        {tab === 'events' && isKnown && (
          <>
            {eventId !== undefined && <OpenEvent eventId={eventId} />}
            <MomentList
              label={t('Events')}
              moments={lists.events}
              emptyText={t('No events in this period.')}
              onPick={({ key }) => onEvent(key)}
            />
          </>
        )}
      </Box>
    </Box>
  );
}

function OpenEvent({ eventId }: { readonly eventId: number }) {
  const { t } = useTranslation('GpsPlayback');
  return (
    <Box sx={{ px: 1.5, pt: 0.75 }}>
      <Button size="small" variant="outlined" component="a" {...linkToEvent(eventId)} data-open-event={eventId}>
        {t('Open event')}
      </Button>
    </Box>
  );
}

const COLUMN = { flex: 1, minHeight: 0, minWidth: 0, display: 'flex', flexDirection: 'column' } as const;
