// An inner page of the test's making: the product's theme, a table's worth of other things, and a recording beside them.
import CssBaseline from '@mui/material/CssBaseline';
import { ThemeProvider } from '@mui/material/styles';
import { type ReactElement, StrictMode, useCallback, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { getRecordedRanges } from '../../../../shared/api/recordings/recordings.ts';
import { startI18n } from '../../../../shared/i18n/start.ts';
import { PlayerEngine } from '../../../../shared/player/engine/engine.ts';
import { PlaybackScreen } from '../../../../shared/player/playback/PlaybackScreen.tsx';
import { PlaybackController } from '../../../../shared/player/playback/playbackController.ts';
import type { LoadRanges } from '../../../../shared/player/playback/timeline/rangeStore.ts';
import { streamUrl } from '../../../../shared/player/tile/streamUrl.ts';
import { StreamPath } from '../../../../shared/protocol/api.ts';
import type { WallSeconds } from '../../../../shared/protocol/time.ts';
import { theme } from '../../../../shared/ui/theme.ts';

const SOURCE = { deviceid: 'DEV1', username: 'ann', credential: 'secret1' };
const TITLE = 'Events';
const CLOSE = 'Close';
const REST = 'What else there is.';
const NONE: readonly number[] = [];

interface Recorded {
  readonly start: WallSeconds;
  readonly channels: readonly number[];
}

const EVENTS: Readonly<Record<string, Recorded>> = {
  'Event 1': { start: (Date.UTC(2026, 10, 20, 14, 3, 5) / 1_000) as WallSeconds, channels: [1] },
  'Event 2': { start: (Date.UTC(2026, 10, 20, 18, 0, 0) / 1_000) as WallSeconds, channels: [1, 2] },
};

function Page(): ReactElement {
  const [name, setName] = useState<string>();
  const recorded = name === undefined ? undefined : EVENTS[name];
  return (
    <main style={{ padding: 40 }}>
      <h1>{TITLE}</h1>
      {Object.keys(EVENTS).map((each) => (
        <button key={each} type="button" onClick={() => setName(each)}>
          {each}
        </button>
      ))}
      <button type="button" onClick={() => setName(undefined)}>
        {CLOSE}
      </button>
      <div id="place" style={{ width: 400, height: 300 }}>
        {recorded !== undefined && <Recording key={name} {...recorded} />}
      </div>
      <p style={{ height: 1_000 }}>{REST}</p>
    </main>
  );
}

function Recording({ start, channels }: Recorded): ReactElement | null {
  const player = useOwnPlayer();
  const loadRanges = useCallback<LoadRanges>((range, signal) => getRecordedRanges(SOURCE, range, signal), []);
  if (player === undefined) return null;
  const stream = { ...SOURCE, streamid: start, spbtime: start };
  return (
    <PlaybackScreen
      engine={player.engine}
      session={player.session}
      source={SOURCE}
      channels={channels}
      streamUrlOf={(channel) => streamUrl(StreamPath.LocalPlayback, stream, channel)}
      startMs={start * 1_000}
      loadRanges={loadRanges}
      exportable={NONE}
      fillsContainer={false}
      hasControls
      keyScope="screen"
    />
  );
}

interface OwnPlayer {
  readonly engine: PlayerEngine;
  readonly session: PlaybackController;
}

function useOwnPlayer(): OwnPlayer | undefined {
  const [player, setPlayer] = useState<OwnPlayer>();
  useEffect(() => {
    const engine = new PlayerEngine();
    const session = new PlaybackController((isOn) => engine.hold(isOn));
    setPlayer({ engine, session });
    return () => {
      session.close();
      engine.close();
    };
  }, []);
  return player;
}

void startI18n({ namespaces: ['Player', 'Playback', 'Errors'] });
createRoot(document.getElementById('root') ?? document.body).render(
  <StrictMode>
    <ThemeProvider theme={theme}>
      <CssBaseline />
      <Page />
    </ThemeProvider>
  </StrictMode>,
);
