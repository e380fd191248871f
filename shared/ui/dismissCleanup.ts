// What third-party scripts put on a page with a dismiss button goes away by itself: the container four levels above it.

const DISMISS_CLASS = 'dismissButton';
const CLEANUP_INTERVAL_MS = 1_000;
const LEVELS_UP = 4;

/** The container that belongs to a dismiss button; undefined when it would be the body or above it. */
function dismissContainer(button: Element): Element | undefined {
  let container: Element | null = button;
  for (let level = 0; level < LEVELS_UP && container !== null; level++) container = container.parentElement;
  const { body, documentElement } = button.ownerDocument;
  if (container === null || container === body || container === documentElement) return undefined;
  return container;
}

function removeDismissContainers(page: Document): void {
  // The list is taken first: a removed container may hold further buttons, whose own container is then detached.
  for (const button of [...page.getElementsByClassName(DISMISS_CLASS)]) dismissContainer(button)?.remove();
}

/** Cleans every second until the returned function is called. */
export function startDismissCleanup(page: Document): () => void {
  const timer = setInterval(() => removeDismissContainers(page), CLEANUP_INTERVAL_MS);
  return () => clearInterval(timer);
}
