import { type KeyboardEvent, type PointerEvent, type ReactElement, useRef } from 'react';
import { Icon, type IconName } from '../icons.tsx';
import type { CameraLine, Movement } from './cameraLine.ts';

interface HoldButtonProps {
  readonly icon: IconName;
  readonly label: string;
  /** Its cell in the pad. */
  readonly place?: string;
  readonly line: CameraLine;
  readonly movement: Movement;
}

/** Moves while it is held: by a pointer, or by Enter or the space bar. However the hold ends, the movement does. */
export function HoldButton({ icon, label, place, line, movement }: HoldButtonProps): ReactElement {
  const holder = useRef({});
  const start = () => line.start(holder.current, movement);
  const stop = () => line.stop(holder.current);
  const byPointer = (event: PointerEvent<HTMLButtonElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    start();
  };
  const byKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    if (!event.repeat) start();
  };
  return (
    <button
      type="button"
      className="tile-tool"
      style={place === undefined ? undefined : { gridArea: place }}
      aria-label={label}
      title={label}
      onPointerDown={byPointer}
      onPointerUp={stop}
      onPointerCancel={stop}
      onLostPointerCapture={(event) => event.target === event.currentTarget && stop()}
      onKeyDown={byKey}
      onKeyUp={stop}
      onBlur={stop}
      // A finger that stays would open the browser's own menu.
      onContextMenu={(event) => event.preventDefault()}
    >
      <Icon name={icon} />
    </button>
  );
}
