import type { ReactElement, Ref } from 'react';
import { Icon, type IconName } from './icons.tsx';

export interface ToolButtonProps {
  readonly icon: IconName;
  readonly label: string;
  /** The key that does the same. */
  readonly shortcut?: string;
  /** For a tool that is on or off. */
  readonly isOn?: boolean;
  /** For a tool that opens something. */
  readonly isOpen?: boolean;
  readonly isDisabled?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
  readonly onUse: () => void;
}

export function ToolButton(props: ToolButtonProps): ReactElement {
  const { icon, label, shortcut, isOn, isOpen, isDisabled, ref, onUse } = props;
  return (
    <button
      ref={ref}
      type="button"
      className="tile-tool"
      aria-label={label}
      aria-pressed={isOn}
      aria-expanded={isOpen}
      aria-haspopup={isOpen === undefined ? undefined : 'true'}
      aria-keyshortcuts={shortcut}
      title={shortcut === undefined ? label : `${label} (${shortcut})`}
      disabled={isDisabled}
      onClick={onUse}
    >
      <Icon name={icon} />
    </button>
  );
}
