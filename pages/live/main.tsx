import { getDevice } from '../../shared/api/devices/device.ts';
import { getServerInfo } from '../../shared/api/system.ts';
import { startI18n } from '../../shared/i18n/start.ts';
import { mountVideoPage } from '../../shared/player/page/mountVideoPage.tsx';
import { startPagePlayer } from '../../shared/player/page/pagePlayer.ts';
import { LivePage } from './LivePage.tsx';
import { loadLiveView } from './liveView.ts';

// All that takes time starts at once: workers, calls, translations. No picture waits for a translation.
const player = startPagePlayer();
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
mountVideoPage(<LivePage loading={loading} player={player} />);
