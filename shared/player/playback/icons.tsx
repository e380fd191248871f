// The drawings on the playback controls: paths on a grid of 24.
import type { ReactElement } from 'react';

const PATHS = {
  play: 'M7 5v14l12-7z',
  pause: 'M7 5h4v14H7zM13 5h4v14h-4z',
  stepBack: 'M19 6v12l-8-6zM6 6h3v12H6z',
  stepForward: 'M5 6v12l8-6zM15 6h3v12h-3z',
  previous: 'M4 5h2v14H4zM20 6v12l-6.5-6zM13 6v12l-6.5-6z',
  next: 'M18 5h2v14h-2zM4 6v12l6.5-6zM11 6v12l6.5-6z',
  zoomIn:
    'M10 4a6 6 0 1 0 3.6 10.8L18.2 19.4l1.2-1.2-4.6-4.6A6 6 0 0 0 10 4zm0 2a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM9 7.5v1.5H7.5v2H9v1.5h2v-1.5h1.5v-2H11v-1.5z',
  zoomOut:
    'M10 4a6 6 0 1 0 3.6 10.8L18.2 19.4l1.2-1.2-4.6-4.6A6 6 0 0 0 10 4zm0 2a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM7.5 9v2h5V9z',
  day: 'M6 3h2v2h8V3h2v2h2v15H4V5h2zm0 7v8h12v-8z',
  whole: 'M4 5h2v14H4zM18 5h2v14h-2zM7.5 12l3.5-3.5V11h2V8.5L16.5 12 13 15.5V13h-2v2.5z',
  export: 'M11 4h2v8l3-3 1.4 1.4L12 15.8l-5.4-5.4L8 9l3 3zM5 18h14v2H5z',
  fullscreen: 'M5 5h5v2H7v3H5zM14 5h5v5h-2V7h-3zM5 14h2v3h3v2H5zM17 14h2v5h-5v-2h3z',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }): ReactElement {
  return (
    <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} fill="currentColor" />
    </svg>
  );
}
