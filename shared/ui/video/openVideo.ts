// Opens a video page in a window of its own, which stays beside the page on another screen.
import { openDeviceView } from '../../api/links.ts';
import { errorText } from '../../i18n/errorText.ts';
import { notify } from '../notifications.tsx';
import { type VideoTarget, videoAddress } from './videoAddress.ts';

/** The window is opened at once, while the browser still sees the press; its address follows. */
export async function openVideo(deviceId: string, target: VideoTarget, blockedText: string): Promise<void> {
  const view = window.open('about:blank', `fleetglass-${target.kind}-${deviceId}`);
  const result = await openDeviceView(deviceId);
  if (!result.ok) {
    view?.close();
    const text = errorText(result);
    if (text !== undefined) notify('error', text);
    return;
  }
  if (view === null) {
    notify('warning', blockedText);
    return;
  }
  view.location.replace(videoAddress(result.value.link, target));
  // A window that is there already would change out of sight.
  view.focus();
}
