import '../../shared/player/videoPage.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { getDevice } from '../../shared/api/devices/device.ts';
import { removeSidFromAddress } from '../../shared/api/pageFlags.ts';
import { playRemote } from '../../shared/api/recordings/remotePlayback.ts';
import { startI18n } from '../../shared/i18n/start.ts';
import { PlayerEngine } from '../../shared/player/engine/engine.ts';
import { playerSupport } from '../../shared/player/engine/support.ts';
import { exposeTrace } from '../../shared/player/engine/trace.ts';
import { FramingInbox } from '../../shared/player/page/framingInbox.ts';
import { randomStreamId } from '../../shared/protocol/playbackPath.ts';
import { RemotePlaybackPage, type RemotePlayer } from './RemotePlaybackPage.tsx';
import { loadRemoteView } from './remoteView.ts';

// All that takes time starts at once: workers, calls, translations. No picture waits for a translation.
const inbox = new FramingInbox();
const player = startPlayer();
const loading = loadRemoteView(window.location.pathname.replace(/^\/remote\/?/, ''), {
  getDevice,
  playRemote,
  newStreamId: randomStreamId,
  setTitle: (title) => {
    document.title = title;
  },
});
void startI18n({ namespaces: ['Playback', 'Player', 'Common', 'Errors'] });
removeSidFromAddress();

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no #root');
createRoot(root).render(
  <StrictMode>
    <RemotePlaybackPage loading={loading} player={player} inbox={inbox} />
  </StrictMode>,
);

function startPlayer(): RemotePlayer {
  const support = playerSupport();
  if (support !== 'ok') return { support };
  const engine = new PlayerEngine();
  exposeTrace(engine, window.location.search);
  return { support, engine };
}
