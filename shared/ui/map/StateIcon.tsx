import Box from '@mui/material/Box';
import { DARK_MARKERS, LIGHT_MARKERS, MARKER_PATHS, MARKER_STATES, type MarkerState } from './markerState.ts';

/** The shape that the map draws. Never the only sign of the state: its name stands beside it. */
export function StateIcon({
  state,
  heading,
  size = 18,
}: {
  readonly state: MarkerState;
  /** Null: not known. */
  readonly heading?: number | null;
  readonly size?: number;
}) {
  const turn = state === 'moving' ? `rotate(${heading ?? 0} 12 12)` : undefined;
  return (
    <svg width={size} height={size} viewBox="-1 -1 26 26" aria-hidden="true" style={{ flexShrink: 0 }}>
      <Box component="path" d={MARKER_PATHS[state]} sx={FILLS[state]} fillRule="evenodd" transform={turn} />
      {state === 'alarm' && <path d="M11 8.5 h2 v6.5 h-2 z M11 16.5 h2 v2.2 h-2 z" fill="#ffffff" />}
    </svg>
  );
}

const FILLS = Object.fromEntries(
  MARKER_STATES.map((state) => [
    state,
    { fill: LIGHT_MARKERS[state], '@media (prefers-color-scheme: dark)': { fill: DARK_MARKERS[state] } },
  ]),
) as Record<MarkerState, object>;
