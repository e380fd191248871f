// What was typed and not saved: who holds some, and the question before it would be lost.
import { useEffect, useSyncExternalStore } from 'react';

/** On the root element while there is some, so that the shell around a page knows before it takes the page away. */
const UNSAVED_MARK = 'data-unsaved';

/** The shell around the page says with it that the user agreed to lose what the page holds. */
const DROP_EVENT = 'fleetglass:drop-unsaved';

const holders = new Set<object>();
const watchers = new Set<() => void>();
let pendingLeave: (() => void) | undefined;

export function hasUnsaved(): boolean {
  return holders.size > 0;
}

/** Holds until the returned function is called. The browser then asks before it leaves the page. */
function holdUnsaved(): () => void {
  const holder = {};
  if (holders.size === 0) {
    window.addEventListener('beforeunload', askBrowser);
    window.addEventListener(DROP_EVENT, dropUnsaved);
    document.documentElement.setAttribute(UNSAVED_MARK, '');
  }
  holders.add(holder);
  return () => {
    holders.delete(holder);
    if (holders.size === 0) dropUnsaved();
  };
}

function askBrowser(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/** For a form: holds while it differs from what is saved. */
export function useUnsaved(isDirty: boolean): void {
  useEffect(() => (isDirty ? holdUnsaved() : undefined), [isDirty]);
}

/** Whether a page of this site that is framed here holds something unsaved: the browser asks nothing when a frame is removed. */
export function frameHoldsUnsaved(): boolean {
  return holdingFrames().length > 0;
}

function holdingFrames(): readonly Window[] {
  const frames = Array.from({ length: window.frames.length }, (_, at) => window.frames[at]);
  return frames.filter((frame): frame is Window => frame !== undefined && isMarked(frame));
}

function isMarked(frame: Window): boolean {
  try {
    return frame.document.documentElement.hasAttribute(UNSAVED_MARK);
  } catch {
    return false; // a page of another site
  }
}

/** For the shell: as `leaveAfterAsking`, for what the pages in its frames hold. */
export function leaveFramesAfterAsking(goOn: () => void): void {
  leaveAfterAsking(() => {
    for (const frame of holdingFrames()) frame.dispatchEvent(new Event(DROP_EVENT));
    goOn();
  }, frameHoldsUnsaved);
}

/** Goes on at once when nothing would be lost, else once the user has said so in the page's `LeaveDialog`. */
export function leaveAfterAsking(goOn: () => void, wouldLose: () => boolean = hasUnsaved): void {
  if (wouldLose()) setAsked(goOn);
  else goOn();
}

/** The answer to the question: the user stays, or goes on and loses it. */
export function answerLeave(leave: boolean): void {
  const goOn = pendingLeave;
  setAsked(undefined);
  if (leave) goOn?.();
}

function setAsked(next: (() => void) | undefined): void {
  pendingLeave = next;
  for (const run of [...watchers]) run();
}

function subscribe(run: () => void): () => void {
  watchers.add(run);
  return () => watchers.delete(run);
}

/** Whether the question stands. */
export function useLeaveQuestion(): boolean {
  return useSyncExternalStore(subscribe, () => pendingLeave !== undefined);
}

/** Forgets that anything is held: the user has chosen to lose it. */
export function dropUnsaved(): void {
  holders.clear();
  window.removeEventListener('beforeunload', askBrowser);
  window.removeEventListener(DROP_EVENT, dropUnsaved);
  document.documentElement.removeAttribute(UNSAVED_MARK);
}
