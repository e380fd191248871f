import { getDevice } from '../../shared/api/devices/device.ts';
import { getServerInfo } from '../../shared/api/system.ts';
import { startI18n } from '../../shared/i18n/start.ts';
import { mountVideoPage } from '../../shared/player/page/mountVideoPage.tsx';
import { startPagePlayer } from '../../shared/player/page/pagePlayer.ts';
import { PlaybackPage } from './PlaybackPage.tsx';
import { loadPlaybackView } from './playbackView.ts';

// All that takes time starts at once: workers, calls, translations. No picture waits for a translation.
const player = startPagePlayer();
const loading = loadPlaybackView(window.location.pathname.replace(/^\/playback\/?/, ''), {
  getServerInfo,
  getDevice,
  setTitle: (title) => {
    document.title = title;
  },
  random: Math.random,
});
void startI18n({ namespaces: ['Playback', 'Player', 'Errors'] });
mountVideoPage(<PlaybackPage loading={loading} player={player} />);
