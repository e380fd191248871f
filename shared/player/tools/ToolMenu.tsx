import { type KeyboardEvent, type ReactElement, type ReactNode, useRef, useState } from 'react';
import { Icon } from './icons.tsx';
import { ToolButton } from './ToolButton.tsx';

interface ToolMenuProps {
  readonly label: string;
  readonly onOpen: (isOpen: boolean) => void;
  readonly children: ReactNode;
}

/** A button with a menu that lies over everything, a small tile's edge included. */
export function ToolMenu({ label, onOpen, children }: ToolMenuProps): ReactElement {
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const note = (next: boolean) => {
    setOpen(next);
    onOpen(next);
    if (next) menu.current?.querySelector('button')?.focus();
  };
  const open = () => {
    if (button.current === null || menu.current === null) return;
    if (isOpen) return menu.current.hidePopover();
    menu.current.showPopover();
    place(menu.current, button.current.getBoundingClientRect());
  };
  return (
    <>
      <ToolButton ref={button} icon="more" label={label} isOpen={isOpen} onUse={open} />
      <div
        ref={menu}
        popover="auto"
        data-own-keys="all"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        className="tile-menu tile-tools-part"
        onToggle={(event) => note(event.newState === 'open')}
        onKeyDown={moveAlong}
        onClick={() => menu.current?.hidePopover()}
        onDoubleClick={(event) => event.stopPropagation()}
      >
        {children}
      </div>
    </>
  );
}

export interface MenuItemProps {
  readonly label: string;
  readonly shortcut?: string;
  /** For one of several, or for what is on or off. */
  readonly isChecked?: boolean;
  readonly isOneOfSeveral?: boolean;
  readonly isDisabled?: boolean;
  readonly onUse: () => void;
}

export function MenuItem({
  label,
  shortcut,
  isChecked,
  isOneOfSeveral = false,
  isDisabled = false,
  onUse,
}: MenuItemProps): ReactElement {
  const content = (
    <>
      <span className="tile-menu-mark">{isChecked === true && <Icon name="check" />}</span>
      <span>{label}</span>
      {shortcut !== undefined && <kbd>{shortcut}</kbd>}
    </>
  );
  const common = { type: 'button', className: 'tile-menu-item', tabIndex: -1, disabled: isDisabled } as const;
  if (isChecked === undefined) {
    return (
      <button {...common} role="menuitem" aria-keyshortcuts={shortcut} onClick={onUse}>
        {content}
      </button>
    );
  }
  if (isOneOfSeveral) {
    return (
      <button {...common} role="menuitemradio" aria-checked={isChecked} onClick={onUse}>
        {content}
      </button>
    );
  }
  return (
    <button {...common} role="menuitemcheckbox" aria-checked={isChecked} aria-keyshortcuts={shortcut} onClick={onUse}>
      {content}
    </button>
  );
}

const MARGIN = 4;

/** Above the button where there is more room, else below; never beyond the window. */
function place(menu: HTMLElement, anchor: DOMRect): void {
  const { innerWidth, innerHeight } = window;
  const above = anchor.top - 2 * MARGIN;
  const below = innerHeight - anchor.bottom - 2 * MARGIN;
  const isAbove = above >= Math.min(menu.scrollHeight, below);
  menu.style.maxHeight = `${Math.max(isAbove ? above : below, 80)}px`;
  menu.style.right = `${Math.max(MARGIN, Math.min(innerWidth - anchor.right, innerWidth - menu.offsetWidth - MARGIN))}px`;
  menu.style.top = isAbove ? 'auto' : `${anchor.bottom + MARGIN}px`;
  menu.style.bottom = isAbove ? `${innerHeight - anchor.top + MARGIN}px` : 'auto';
}

function moveAlong(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0) return;
  event.preventDefault();
  const items = [...event.currentTarget.querySelectorAll<HTMLButtonElement>('button:not(:disabled)')];
  const at = items.indexOf(event.target as HTMLButtonElement);
  items[(at + step + items.length) % items.length]?.focus();
}
