// One window for all component tests of a worker, so that what they load is loaded once and may hold on to it. Each file finds
// it as it was at first, with nobody signed in.
import { beforeAll } from 'vitest';
import { builtinEnvironments } from 'vitest/runtime';
import { setStorages } from './webStorage.ts';

interface SharedWindow {
  hasWindow?: true;
  readonly happyDOM: { setViewport(size: { readonly width: number; readonly height: number }): void };
}

const ADDRESS = 'http://localhost:3000/';
const VIEWPORT = { width: 1_024, height: 768 };
const CHART_SIZE: Readonly<Record<string, string>> = { width: '600px', height: '300px' };
/** React 19's own; an update that changes it makes the tests slower and not wrong. */
const OWNER_STACK_LIMIT = 10_000;
const shared = globalThis as unknown as SharedWindow;

if (shared.hasWindow === undefined) {
  // A link that is clicked to save a file leads nowhere: happy-dom would take its address for the window's own, whose files come next.
  const navigation = { disableMainFrameNavigation: true, disableFallbackToSetURL: true };
  await builtinEnvironments['happy-dom'].setup(globalThis, { happyDOM: { url: ADDRESS, settings: { navigation } } });
  shared.hasWindow = true;
  setStorages();
  // What places pop-ups asks every element for its text to tell it from a window: browsers answer with the name of its class, happy-dom
  // with all of its HTML, which took a third of the time.
  Element.prototype.toString = function (this: Element) {
    return `[object ${this.constructor.name}]`;
  };
  // Style sheets stay out of the document: each rule would be an element of its own here, and every search for an element, or for the body
  // behind the head, would pass thousands of them, which took a quarter of the time.
  const insertBefore = document.head.insertBefore.bind(document.head);
  document.head.insertBefore = (node, next) => (isSheet(node) ? node : insertBefore(node, next));
  // What the style sheets say is for real browsers to test: here it took a quarter of the time to look it up.
  window.getComputedStyle = (element) => (isChart(element) ? sizedStyle(element) : (element as HTMLElement).style);
}

function isSheet(node: Node): boolean {
  return node instanceof HTMLStyleElement && node.dataset.emotion !== undefined;
}

/** What a chart of MUI X measures; without a size it writes an error, once it is drawn a second time. */
function isChart(element: Element): boolean {
  return element.classList.contains('MuiChartsSurface-root');
}

function sizedStyle(element: Element): CSSStyleDeclaration {
  return new Proxy((element as HTMLElement).style, {
    get: (style, name) => CHART_SIZE[String(name)] ?? Reflect.get(style, name, style),
  });
}
// React notes where each element was made, by an `Error` apiece, to name the place when it complains: a quarter of the time. Past a
// number of elements in a second it leaves that out by itself; here the number counts as reached.
const internals: object = Reflect.get(
  await import('react'),
  '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE',
);
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => OWNER_STACK_LIMIT, set: () => undefined });
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
