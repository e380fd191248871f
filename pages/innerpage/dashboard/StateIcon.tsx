import { type DeviceLook, LOOK_COLOURS, LOOK_PATHS } from './deviceLook.ts';

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
      <path
        d={LOOK_PATHS[look]}
        fill={`var(--look-${look}, ${LOOK_COLOURS[look]})`}
        fillRule="evenodd"
        transform={turn}
      />
      {look === 'alarm' && <path d="M11 8.5 h2 v6.5 h-2 z M11 16.5 h2 v2.2 h-2 z" fill="#ffffff" />}
    </svg>
  );
}
