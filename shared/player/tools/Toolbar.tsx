import { type KeyboardEvent, type ReactElement, type ReactNode, useEffect, useRef } from 'react';

interface ToolbarProps {
  readonly label: string;
  readonly isShown: boolean;
  readonly children: ReactNode;
}

/** A row of buttons that is one stop of the Tab key; arrow keys go along it. */
export function Toolbar({ label, isShown, children }: ToolbarProps): ReactElement {
  const bar = useRef<HTMLDivElement>(null);
  // After every rendering: buttons come and go, and one of them must stay the row's stop.
  useEffect(() => {
    const buttons = buttonsOf(bar.current);
    const stop = buttons.find((button) => button.dataset.stop === 'true') ?? buttons.at(0);
    for (const button of buttons) button.tabIndex = button === stop ? 0 : -1;
  });
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={label}
      className="tile-toolbar tile-tools-part"
      data-shown={isShown}
      data-own-keys="arrows"
      onKeyDown={(event) => moveAlong(event, bar.current)}
      onDoubleClick={(event) => event.stopPropagation()}
    >
      {children}
    </div>
  );
}

function moveAlong(event: KeyboardEvent, bar: HTMLElement | null): void {
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
  if (step === 0) return;
  const buttons = buttonsOf(bar);
  const at = buttons.indexOf(event.target as HTMLButtonElement);
  const next = buttons[(at + step + buttons.length) % buttons.length];
  if (at < 0 || next === undefined) return;
  event.preventDefault();
  for (const button of buttons) {
    button.tabIndex = button === next ? 0 : -1;
    button.dataset.stop = String(button === next);
  }
  next.focus();
}

/** The buttons that are visible: a narrow tile leaves some out. */
function buttonsOf(bar: HTMLElement | null): HTMLButtonElement[] {
  const all = [...(bar?.querySelectorAll<HTMLButtonElement>(':scope > button') ?? [])];
  return all.filter((button) => button.checkVisibility?.() !== false);
}
