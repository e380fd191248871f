// One window for all component tests of a worker, so that what they load is loaded once and may hold on to it. Each file finds
// it as it was at first, with nobody signed in.
import { beforeAll } from 'vitest';
import { builtinEnvironments } from 'vitest/runtime';

interface SharedWindow {
  hasWindow?: true;
  readonly happyDOM: { setViewport(size: { readonly width: number; readonly height: number }): void };
}

const ADDRESS = 'http://localhost:3000/';
const VIEWPORT = { width: 1_024, height: 768 };
const shared = globalThis as unknown as SharedWindow;

if (shared.hasWindow === undefined) {
  await builtinEnvironments['happy-dom'].setup(globalThis, { happyDOM: { url: ADDRESS } });
  shared.hasWindow = true;
  // What the style sheets say is for real browsers to test: here it took a quarter of the time to look it up.
  window.getComputedStyle = (element) => (element as HTMLElement).style;
}
// They need a window from their first line.
const { closeSession } = await import('../../../shared/ui/session.ts');
const { setSignedIn } = await import('../../../shared/i18n/start.ts');

beforeAll(() => {
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
  window.history.replaceState(null, '', ADDRESS);
  shared.happyDOM.setViewport(VIEWPORT);
  closeSession();
  setSignedIn(false);
});
