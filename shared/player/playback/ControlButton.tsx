import type { ReactElement } from 'react';
import { Icon, type IconName } from './icons.tsx';

export interface ControlButtonProps {
  readonly icon: IconName;
  /** What it does, in the user's language. */
  readonly label: string;
  /** The key that does the same, for the tooltip. */
  readonly shortcut?: string;
  readonly isDisabled?: boolean;
  readonly onPress: () => void;
}

export function ControlButton({ icon, label, shortcut, isDisabled, onPress }: ControlButtonProps): ReactElement {
  return (
    <button
      type="button"
      className="playback-button"
      aria-label={label}
      title={shortcut === undefined ? label : `${label} (${shortcut})`}
      disabled={isDisabled}
      // The mouse leaves the focus where it is, so that the space bar goes on meaning play and pause.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPress}
    >
      <Icon name={icon} />
    </button>
  );
}
