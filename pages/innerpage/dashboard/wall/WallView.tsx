import AddIcon from '@mui/icons-material/Add';
import FullscreenIcon from '@mui/icons-material/Fullscreen';
import OpenInNewIcon from '@mui/icons-material/OpenInNew';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import MenuItem from '@mui/material/MenuItem';
import Switch from '@mui/material/Switch';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { withPageFlags } from '../../../../shared/api/pageFlags.ts';
import { readStored, writeStored } from '../../../../shared/i18n/browserStorage.ts';
import { playerSupport } from '../../../../shared/player/engine/support.ts';
import { toggleFullscreen } from '../../../../shared/player/page/fullscreen.ts';
import type { Wall } from '../../../../shared/protocol/api/fleet.ts';
import type { LiveDevice } from '../../../../shared/protocol/api/liveUpdates.ts';
import { Waiting } from '../../../../shared/ui/Waiting.tsx';
import { useWakeLock } from './useWakeLock.ts';
import { useWallEngine } from './useWallEngine.ts';
import { useWalls } from './useWalls.ts';
import { WallDialog } from './WallDialog.tsx';
import { WallGrid } from './WallGrid.tsx';
import { hashOfWall, nextWall, wallOfHash } from './wallTurn.ts';

/** Pictures need a moment to come. */
const LEAST_SECONDS = 5;
/** The wall that was shown last in this browser. */
const SHOWN_KEY = 'dashboard.wall';

export interface WallViewProps {
  readonly devices: ReadonlyMap<string, LiveDevice>;
  /** Nothing else is on the page: the tools come when they are pointed at, and leave the room to the pictures. */
  readonly isAlone?: boolean;
}

export function WallView({ devices, isAlone = false }: WallViewProps) {
  const { t } = useTranslation('Dashboard');
  const { walls, reload } = useWalls();
  const engine = useWallEngine();
  const screen = useRef<HTMLDivElement>(null);
  const [addressed] = useState(() => wallOfHash(window.location.hash));
  const [name, setName] = useState(() => addressed?.name ?? readStored(SHOWN_KEY) ?? '');
  const [isCycling, setCycling] = useState(addressed?.inTurn === true);
  const [edited, setEdited] = useState<Wall | 'new'>();
  const wall = walls?.find((each) => each.name === name) ?? walls?.[0];
  const show = (next: string) => {
    setName(next);
    writeStored(SHOWN_KEY, next);
  };
  useWakeLock(wall !== undefined);
  useTurn(isCycling ? wall : undefined, walls, setName);
  const support = playerSupport();
  if (walls === undefined) return <Waiting />;
  return (
    <>
      <Box sx={isAlone ? HIDDEN_BAR : BAR}>
        {walls.length > 0 && (
          <TextField
            select
            label={t('Video wall')}
            value={wall?.name ?? ''}
            onChange={(event) => show(event.target.value)}
            sx={{ minWidth: 180 }}
          >
            {walls.map((each) => (
              <MenuItem key={each.name} value={each.name}>
                {each.name}
              </MenuItem>
            ))}
          </TextField>
        )}
        <Button
          startIcon={<AddIcon />}
          variant={walls.length === 0 ? 'contained' : 'text'}
          onClick={() => setEdited('new')}
        >
          {t('Add wall')}
        </Button>
        {wall !== undefined && (
          <WallTools
            wall={wall}
            screen={screen}
            isCycling={isCycling}
            onCycle={setCycling}
            onEdit={() => setEdited(wall)}
          />
        )}
      </Box>
      {support !== 'ok' && (
        <Alert severity="warning" sx={{ m: 1.5 }}>
          {t("This browser can't show video here. Open the page over HTTPS in an up-to-date browser.")}
        </Alert>
      )}
      {wall === undefined && <NoWalls />}
      <Box ref={screen} sx={{ flex: 1, minHeight: 0, display: 'flex' }}>
        {wall !== undefined && engine !== undefined && support === 'ok' && (
          <WallGrid key={wall.name} wall={wall} engine={engine} devices={devices} />
        )}
      </Box>
      {edited !== undefined && (
        <WallDialog
          wall={edited === 'new' ? undefined : edited}
          names={walls.map((each) => each.name)}
          devices={devices}
          onClose={(kept) => {
            setEdited(undefined);
            if (kept === undefined) return;
            show(kept);
            reload();
          }}
        />
      )}
    </>
  );
}

/** Shows the next wall when this one has had its time. */
function useTurn(wall: Wall | undefined, walls: readonly Wall[] | undefined, show: (name: string) => void): void {
  useEffect(() => {
    if (wall === undefined || walls === undefined) return undefined;
    const seconds = Math.max(LEAST_SECONDS, wall.cycleSeconds);
    const timer = setTimeout(() => show(nextWall(walls, wall.name)?.name ?? wall.name), seconds * 1000);
    return () => clearTimeout(timer);
  }, [wall, walls, show]);
}

interface WallToolsProps {
  readonly wall: Wall;
  readonly screen: RefObject<HTMLDivElement | null>;
  readonly isCycling: boolean;
  readonly onCycle: (isCycling: boolean) => void;
  readonly onEdit: () => void;
}

function WallTools({ wall, screen, isCycling, onCycle, onEdit }: WallToolsProps) {
  const { t } = useTranslation('Dashboard');
  const openWindow = () => window.open(addressOfWall(wall.name, isCycling), '_blank');
  const fill = () => {
    if (screen.current !== null) void toggleFullscreen(screen.current);
  };
  return (
    <>
      <Button onClick={onEdit}>{t('Edit')}</Button>
      <FormControlLabel
        control={<Switch checked={isCycling} onChange={(event) => onCycle(event.target.checked)} />}
        label={t('Cycle walls')}
      />
      <Box sx={{ ml: 'auto', display: 'flex', gap: 1 }}>
        {/* Nothing is beside the page on a phone. */}
        <Button startIcon={<OpenInNewIcon />} onClick={openWindow} sx={{ display: { xs: 'none', sm: 'flex' } }}>
          {t('Open in new window')}
        </Button>
        <Button startIcon={<FullscreenIcon />} onClick={fill}>
          {t('Full screen')}
        </Button>
      </Box>
    </>
  );
}

/** The wall by itself, without the page around it; in a window of its own a frame token would not count. */
function addressOfWall(name: string, inTurn: boolean): string {
  const flags = { sid: undefined, nontop: true };
  return withPageFlags(`/innerpage/dashboard.html${hashOfWall({ name, inTurn })}`, flags);
}

function NoWalls() {
  const { t } = useTranslation('Dashboard');
  return (
    <Typography sx={{ p: 3, color: 'text.secondary' }}>
      {t('No video walls yet. Add one to show up to 8 cameras of any vehicles side by side.')}
    </Typography>
  );
}

const BAR = {
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: 1,
  p: 1,
  flexShrink: 0,
  backgroundColor: 'background.paper',
} as const;
// Above the pictures, seen while a pointer or the keyboard is in it.
const HIDDEN_BAR = {
  ...BAR,
  pt: 1.5,
  position: 'absolute',
  inset: '0 0 auto 0',
  zIndex: 3,
  opacity: 0,
  transition: 'opacity 150ms',
  '&:hover, &:focus-within': { opacity: 1 },
} as const;
