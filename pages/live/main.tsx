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
import { LivePage, type LivePlayer } from './LivePage.tsx';
import { loadLiveView } from './liveView.ts';

// All that takes time starts at once: workers, calls, translations. No picture waits for a translation.
const inbox = new FramingInbox();
const player = startPlayer();
const loading = loadLiveView(window.location.pathname.replace(/^\/live\/?/, ''), {
  getServerInfo,
  getDevice,
  showSealed: (hex) => {
    const { search, hash } = window.location;
    window.history.replaceState(window.history.state, '', `/live/${hex}${search}${hash}`);
  },
  setTitle: (title) => {
    document.title = title;
  },
});
void startI18n({ namespaces: ['Live', 'Player', 'Errors'] });
removeSidFromAddress();

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no #root');
createRoot(root).render(
  <StrictMode>
    <LivePage loading={loading} player={player} inbox={inbox} />
  </StrictMode>,
);

function startPlayer(): LivePlayer {
  const support = playerSupport();
  if (support !== 'ok') return { support };
  const engine = new PlayerEngine();
  exposeTrace(engine, window.location.search);
  return { support, engine };
}
