// The addresses of the three video pages, as this session opens them. Pure.

export type VideoWish =
  | { readonly kind: 'live' }
  | { readonly kind: 'local'; readonly startMs: number }
  | { readonly kind: 'remote'; readonly startMs: number; readonly durationSeconds: number; readonly channel: number };

/** `link`: `deviceid/username/credential`, each encoded. */
export function videoAddress(link: string, wish: VideoWish): string {
  const [device = '', ...credential] = link.split('/');
  switch (wish.kind) {
    case 'live':
      return `/live/${link}`;
    case 'local':
      // 0: a stream id of the page's own choice.
      return ['/playback', device, 0, secondsOf(wish.startMs), ...credential].join('/');
    case 'remote': {
      const masked = `${device}@${2 ** (wish.channel - 1)}`;
      return ['/remote', masked, wish.durationSeconds, secondsOf(wish.startMs), ...credential].join('/');
    }
  }
}

function secondsOf(atMs: number): number {
  return Math.floor(atMs / 1000);
}
