// When a device is asked again to play, and from where. Pure.
import type { RemotePlayRequest } from '../../shared/api/recordings/remotePlayback.ts';
import type { WallSeconds } from '../../shared/protocol/time.ts';

/** The server knows no such playback: it was restarted, or the page was away for too long. The user need not know. */
export function isLostSession(code: string): boolean {
  return code === 'not-playing';
}

/** What passes by itself. A device that broke off would do so again at the same place: that is the viewer's to decide. */
export function isRetryable(code: string): boolean {
  return isLostSession(code) || code === 'device-offline';
}

/** The rest of what was asked for at first, from the second of that moment on. */
export function continuedPlay(play: RemotePlayRequest, positionMs: number | undefined): RemotePlayRequest {
  const end = play.spbtime + play.duration;
  const second = Math.floor((positionMs ?? 0) / 1_000);
  const spbtime = Math.min(Math.max(second, play.spbtime), end - 1) as WallSeconds;
  return { ...play, spbtime, duration: end - spbtime };
}
