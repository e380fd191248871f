// Whether a tile is heard. Streams carry sound only when their address asks for it.

export interface SoundState {
  /** The user, or the page, wants to hear the tile. */
  readonly isOn: boolean;
  /** The browser wants a gesture first. */
  readonly isBlocked: boolean;
}

export function hasAudio(url: string): boolean {
  return new URL(url, 'ws://localhost').searchParams.get('audio') === '1';
}

/** The same stream with sound; everything else stays as it stands. */
export function withAudio(url: string): string {
  if (/[?&]audio=/.test(url)) return url.replace(/([?&]audio=)[^&#]*/, (_, name: string) => `${name}1`);
  return `${url}${url.includes('?') ? '&' : '?'}audio=1`;
}
