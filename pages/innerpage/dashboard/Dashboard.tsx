import Box from '@mui/material/Box';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import useMediaQuery from '@mui/material/useMediaQuery';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { pageFlags } from '../../../shared/api/pageFlags.ts';
import type { LiveFleet } from '../../../shared/live/liveFleet.ts';
import { useLiveFleet, useLiveState } from '../../../shared/live/pageLive.ts';
import { ChunkBoundary, lazyPart } from '../../../shared/ui/chunks.tsx';
import { LiveBadge } from '../../../shared/ui/frame/LiveBadge.tsx';
import { BREAKPOINTS } from '../../../shared/ui/theme.ts';
import { Waiting } from '../../../shared/ui/Waiting.tsx';
import { CardStrip } from './cards/CardStrip.tsx';
import { FleetView } from './FleetView.tsx';
import { useFigures } from './figures/useFigures.ts';
import { NoDevices } from './NoDevices.tsx';
import { useFleetFilter } from './useFleetFilter.ts';
import { useShowEvents } from './useShowEvents.ts';
import { useViews, VIEWS, type View } from './useViews.ts';
import { wallOfHash } from './wall/wallTurn.ts';

const FiguresView = lazyPart('FiguresView', async () => (await import('./figures/FiguresView.tsx')).FiguresView);
const WallView = lazyPart('WallView', async () => (await import('./wall/WallView.tsx')).WallView);

export interface DashboardProps {
  readonly permissions: readonly string[];
  /** Serial number of the current member group; 0 for none. */
  readonly memberGroup: number;
  readonly search: string;
  readonly onSearch: (text: string) => void;
}

/** From this width on, the map and the list are side by side. */
const WIDE = `(min-width: ${BREAKPOINTS.lg}px)`;

export function Dashboard(props: DashboardProps) {
  const fleet = useLiveFleet();
  // A screen that shows a wall and nothing else: its address says both.
  const [isWallAlone] = useState(() => pageFlags().nontop && wallOfHash(window.location.hash) !== undefined);
  if (!isWallAlone) return <WholeDashboard {...props} fleet={fleet} />;
  return (
    <Box sx={VIEW}>
      <ChunkBoundary>
        <Suspense fallback={<Waiting />}>
          <WallView devices={fleet.devices} isAlone />
        </Suspense>
      </ChunkBoundary>
    </Box>
  );
}

function WholeDashboard({
  fleet,
  permissions,
  memberGroup,
  search,
  onSearch,
}: DashboardProps & { readonly fleet: LiveFleet }) {
  const { t } = useTranslation('Dashboard');
  const isWide = useMediaQuery(WIDE, { noSsr: true });
  const filter = useFleetFilter(fleet.devices, search);
  const figures = useFigures();
  const { view, setView, ...ways } = useViews({ filter, search, onSearch, isWide });
  const showEvents = useShowEvents(ways.showOnly);
  return (
    <>
      <CardStrip
        counts={fleet.counts}
        isKnown={fleet.isKnown}
        figures={figures.value}
        chosen={filter.filter.card}
        onChoose={ways.showCard}
        onFigures={() => setView('figures')}
      />
      {fleet.isKnown && fleet.devices.size === 0 && <NoDevices permissions={permissions} memberGroup={memberGroup} />}
      <ViewTabs view={view} isWide={isWide} onChange={setView} />
      <Box id="dashboard-view" role="tabpanel" aria-labelledby={`tab-${view}`} sx={VIEW}>
        <FleetView
          fleet={fleet}
          filter={filter}
          show={view === 'map' || view === 'list' ? view : 'none'}
          isWide={isWide}
          onPicked={() => setView('map')}
          onTogether={(deviceIds) => ways.showOnly(deviceIds, t('At the same place'))}
          onClear={ways.clear}
        />
        <ChunkBoundary>
          <Suspense fallback={<Waiting />}>
            {view === 'figures' && (
              <FiguresView
                figures={figures}
                permissions={permissions}
                onDevice={ways.showDevice}
                onCard={ways.showCard}
                onEventType={(type, name) => void showEvents(type, name)}
              />
            )}
            {view === 'wall' && <WallView devices={fleet.devices} />}
          </Suspense>
        </ChunkBoundary>
      </Box>
    </>
  );
}

interface ViewTabsProps {
  readonly view: View;
  readonly isWide: boolean;
  readonly onChange: (view: View) => void;
}

/** The views of the page, and whether what they show is of this moment. */
function ViewTabs({ view, isWide, onChange }: ViewTabsProps) {
  const { t } = useTranslation('Dashboard');
  const live = useLiveState();
  const labels: Record<View, string> = {
    map: t('Map'),
    list: t('List'),
    figures: t('Statistics'),
    wall: t('Video wall'),
  };
  return (
    <Box sx={TAB_ROW}>
      <Tabs
        value={view}
        onChange={(_event, next: View) => onChange(next)}
        aria-label={t('Views')}
        variant="scrollable"
        scrollButtons={false}
      >
        {VIEWS.filter((each) => each !== 'list' || !isWide).map((each) => (
          <Tab key={each} value={each} label={labels[each]} id={`tab-${each}`} aria-controls="dashboard-view" />
        ))}
      </Tabs>
      <LiveBadge state={live} />
    </Box>
  );
}

const TAB_ROW = {
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: 1,
  px: { xs: 0.5, sm: 1 },
  borderBottom: 1,
  borderColor: 'divider',
  backgroundColor: 'background.paper',
  flexShrink: 0,
  '& .MuiTabs-root': { minHeight: 42 },
  '& .MuiTab-root': { minHeight: 42, minWidth: { xs: 0, sm: 90 }, px: { xs: 1.25, sm: 2 }, py: 0 },
} as const;
const VIEW = { flex: 1, minHeight: 0, display: 'flex', flexDirection: 'column', position: 'relative' } as const;
