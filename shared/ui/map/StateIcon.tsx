import Box from '@mui/material/Box';
import { DARK_LOOKS, type DeviceLook, LIGHT_LOOKS, LOOK_PATHS, LOOKS } from './deviceLook.ts';

/** The shape that the map draws. Never the only sign of the state: its name stands beside it. */
export function StateIcon({
  look,
  heading = 0,
  size = 18,
}: {
  readonly look: DeviceLook;
  readonly heading?: number;
  readonly size?: number;
}) {
  const turn = look === 'moving' ? `rotate(${heading} 12 12)` : undefined;
  return (
    <svg width={size} height={size} viewBox="-1 -1 26 26" aria-hidden="true" style={{ flexShrink: 0 }}>
      <Box component="path" d={LOOK_PATHS[look]} sx={FILLS[look]} fillRule="evenodd" transform={turn} />
      {look === 'alarm' && <path d="M11 8.5 h2 v6.5 h-2 z M11 16.5 h2 v2.2 h-2 z" fill="#ffffff" />}
    </svg>
  );
}

const FILLS = Object.fromEntries(
  LOOKS.map((look) => [
    look,
    { fill: LIGHT_LOOKS[look], '@media (prefers-color-scheme: dark)': { fill: DARK_LOOKS[look] } },
  ]),
) as Record<DeviceLook, object>;
