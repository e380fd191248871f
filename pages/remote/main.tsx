import { getDevice } from '../../shared/api/devices/device.ts';
import { playRemote } from '../../shared/api/recordings/remotePlayback.ts';
import { startI18n } from '../../shared/i18n/start.ts';
import { mountVideoPage } from '../../shared/player/page/mountVideoPage.tsx';
import { startPagePlayer } from '../../shared/player/page/pagePlayer.ts';
import { randomStreamId } from '../../shared/protocol/playbackPath.ts';
import { RemotePlaybackPage } from './RemotePlaybackPage.tsx';
import { loadRemoteView } from './remoteView.ts';

// All that takes time starts at once: workers, calls, translations. No picture waits for a translation.
const player = startPagePlayer();
const loading = loadRemoteView(window.location.pathname.replace(/^\/remote\/?/, ''), {
  getDevice,
  playRemote,
  newStreamId: randomStreamId,
  setTitle: (title) => {
    document.title = title;
  },
});
void startI18n({ namespaces: ['Playback', 'Player', 'Common', 'Errors'] });
mountVideoPage(<RemotePlaybackPage loading={loading} player={player} />);
