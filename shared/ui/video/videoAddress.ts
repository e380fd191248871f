// The addresses of the three video pages, as this session opens them. Pure.

export type VideoTarget =
  | { readonly kind: 'live' }
  | { readonly kind: 'local'; readonly startMs: number }
  | { readonly kind: 'remote'; readonly startMs: number; readonly durationSeconds: number; readonly channel: number };

/** `link`: `deviceid/username/credential`, each encoded. */
export function videoAddress(link: string, target: VideoTarget): string {
  const [device = '', ...credential] = link.split('/');
  switch (target.kind) {
    case 'live':
      return `/live/${link}`;
    case 'local':
      // 0: a stream id of the page's own choice.
      return ['/playback', device, 0, secondsOf(target.startMs), ...credential].join('/');
    case 'remote': {
      const masked = `${device}@${2 ** (target.channel - 1)}`;
      return ['/remote', masked, target.durationSeconds, secondsOf(target.startMs), ...credential].join('/');
    }
  }
}

function secondsOf(atMs: number): number {
  return Math.floor(atMs / 1000);
}
