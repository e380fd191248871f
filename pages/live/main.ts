// What takes time starts at once, before React and the texts are in: workers, calls. No picture waits for a translation.
import '../../shared/player/videoPage.css';
import { getDevice } from '../../shared/api/device.ts';
import { removeSidFromAddress } from '../../shared/api/pageFlags.ts';
import { getServerInfo } from '../../shared/api/system.ts';
import { PlayerEngine } from '../../shared/player/engine.ts';
import { FramingInbox } from '../../shared/player/framingInbox.ts';
import { playerSupport } from '../../shared/player/support.ts';
import { exposeTrace } from '../../shared/player/trace.ts';
import type { LivePlayer } from './LivePage.tsx';
import { loadLiveView } from './liveView.ts';

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
void import('./mount.tsx').then(({ mountLivePage }) => mountLivePage({ loading, player, inbox }));
removeSidFromAddress();

function startPlayer(): LivePlayer {
  const support = playerSupport();
  if (support !== 'ok') return { support };
  const engine = new PlayerEngine();
  exposeTrace(engine, window.location.search);
  return { support, engine };
}
