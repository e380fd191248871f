import '../../shared/player/videoPage.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { getDevice } from '../../shared/api/devices/device.ts';
import { removeSidFromAddress } from '../../shared/api/pageFlags.ts';
import { getServerInfo } from '../../shared/api/system.ts';
import { startI18n } from '../../shared/i18n/start.ts';
import { PlayerEngine } from '../../shared/player/engine/engine.ts';
import { playerSupport } from '../../shared/player/engine/support.ts';
import { exposeTrace } from '../../shared/player/engine/trace.ts';
import { FramingInbox } from '../../shared/player/page/framingInbox.ts';
import { PlaybackController } from '../../shared/player/playback/playbackController.ts';
import { PlaybackPage, type PlaybackPlayer } from './PlaybackPage.tsx';
import { loadPlaybackView } from './playbackView.ts';

const inbox = new FramingInbox();
// All that takes time starts at once: workers, calls, translations. No picture waits for a translation.
const player = startPlayer();
const loading = loadPlaybackView(window.location.pathname.replace(/^\/playback\/?/, ''), {
  getServerInfo,
  getDevice,
  setTitle: (title) => {
    document.title = title;
  },
  random: Math.random,
});
void startI18n({ namespaces: ['Playback', 'Player', 'Errors'] });
removeSidFromAddress();

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no #root');
createRoot(root).render(
  <StrictMode>
    <PlaybackPage loading={loading} player={player} />
  </StrictMode>,
);

function startPlayer(): PlaybackPlayer {
  const support = playerSupport();
  if (support !== 'ok') return { support };
  const engine = new PlayerEngine();
  exposeTrace(engine, window.location.search);
  return { support, engine, session: new PlaybackController((isOn) => engine.hold(isOn)), inbox };
}
