// A page that a test drives: tiles mounted and taken away at its command, under React's StrictMode in development.
import { StrictMode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { buildWebSocketUrl } from '../../../../shared/api/query.ts';
import { startI18n } from '../../../../shared/i18n/start.ts';
import { PlayerEngine } from '../../../../shared/player/engine/engine.ts';
import { exposeTrace } from '../../../../shared/player/engine/trace.ts';
import { VideoGrid } from '../../../../shared/player/page/VideoGrid.tsx';
import { VideoTile } from '../../../../shared/player/tile/VideoTile.tsx';
import { StreamPath } from '../../../../shared/protocol/api.ts';

export interface Harness {
  /** `hasTools`: with what a live page's tiles offer. */
  mount(channels: number, hasTools?: boolean): void;
  unmount(): void;
  closeEngine(): void;
}

declare global {
  var harness: Harness | undefined;
}

const TOOLS = { deviceid: 'DEV1', hasQualities: true } as const;

const engine = new PlayerEngine();
exposeTrace(engine, '?trace=1');
let root: Root | undefined;

globalThis.harness = {
  mount: (channels, hasTools = false) => {
    root = createRoot(document.getElementById('root') ?? document.body);
    root.render(
      <StrictMode>
        <VideoGrid layout={{ kind: 'grid', columns: 2, rows: 2 }}>
          {channelsUpTo(channels).map((channel) => (
            <VideoTile
              key={channel}
              engine={engine}
              channel={channel}
              tools={hasTools ? TOOLS : undefined}
              url={buildWebSocketUrl(StreamPath.Live, { channel })}
            />
          ))}
        </VideoGrid>
      </StrictMode>,
    );
  },
  unmount: () => root?.unmount(),
  closeEngine: () => engine.close(),
};

void startI18n({ namespaces: ['Player', 'Errors'] });

function channelsUpTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}
