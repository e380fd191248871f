import Box from '@mui/material/Box';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import useMediaQuery from '@mui/material/useMediaQuery';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLiveFleet, useLiveState } from '../../../shared/live/pageLive.ts';
import { ChunkBoundary, lazyPart } from '../../../shared/ui/chunks.tsx';
import { BREAKPOINTS } from '../../../shared/ui/theme.ts';
import { Waiting } from '../../../shared/ui/Waiting.tsx';
import { CardStrip } from './cards/CardStrip.tsx';
import { FleetView } from './FleetView.tsx';
import { useFigures } from './figures/useFigures.ts';
import type { Card } from './fleetFilter.ts';
import { LiveBadge } from './LiveBadge.tsx';
import { useFleetFilter } from './useFleetFilter.ts';
import { wallOfHash } from './wall/wallTurn.ts';

const FiguresView = lazyPart('FiguresView', async () => (await import('./figures/FiguresView.tsx')).FiguresView);
const WallView = lazyPart('WallView', async () => (await import('./wall/WallView.tsx')).WallView);

export interface DashboardProps {
  readonly permissions: readonly string[];
  readonly search: string;
}

const VIEWS = ['map', 'list', 'figures', 'wall'] as const;
type View = (typeof VIEWS)[number];

/** From here on map and list stand beside one another. */
const WIDE = `(min-width: ${BREAKPOINTS.lg}px)`;

export function Dashboard({ permissions, search }: DashboardProps) {
  const { t } = useTranslation('Dashboard');
  const fleet = useLiveFleet();
  const live = useLiveState();
  const isWide = useMediaQuery(WIDE);
  const filter = useFleetFilter(fleet.devices, search);
  const figures = useFigures();
  const [chosen, setView] = useState<View>(() => (wallOfHash(window.location.hash) === undefined ? 'map' : 'wall'));
  const view = isWide && chosen === 'list' ? 'map' : chosen;
  const showList = () => setView(isWide ? 'map' : 'list');
  const chooseCard = (card: Card) => {
    filter.setCard(card);
    showList();
  };
  const showDevice = (deviceId: string) => {
    filter.select(deviceId);
    setView('map');
  };
  const labels: Record<View, string> = {
    map: t('Map'),
    list: t('List'),
    figures: t('Figures'),
    wall: t('Camera wall'),
  };
  return (
    <>
      <CardStrip
        counts={fleet.counts}
        isKnown={fleet.isKnown}
        figures={figures}
        chosen={filter.filter.card}
        onChoose={chooseCard}
        onFigures={() => setView('figures')}
      />
      <Box sx={TAB_ROW}>
        <Tabs
          value={view}
          onChange={(_event, next: View) => setView(next)}
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
      <Box id="dashboard-view" role="tabpanel" aria-labelledby={`tab-${view}`} sx={VIEW}>
        <FleetView
          fleet={fleet}
          filter={filter}
          show={view === 'map' || view === 'list' ? view : 'none'}
          isWide={isWide}
          onPicked={() => setView('map')}
        />
        <ChunkBoundary>
          <Suspense fallback={<Waiting />}>
            {view === 'figures' && (
              <FiguresView figures={figures} permissions={permissions} onDevice={showDevice} onCard={chooseCard} />
            )}
            {view === 'wall' && <WallView devices={fleet.devices} />}
          </Suspense>
        </ChunkBoundary>
      </Box>
    </>
  );
}

const TAB_ROW = {
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: 1,
  px: 1,
  borderBottom: 1,
  borderColor: 'divider',
  backgroundColor: 'background.paper',
  flexShrink: 0,
  '& .MuiTabs-root': { minHeight: 42 },
  '& .MuiTab-root': { minHeight: 42, py: 0 },
} as const;
const VIEW = { flex: 1, minHeight: 0, display: 'flex', flexDirection: 'column', position: 'relative' } as const;
