// Renders a part of a page as the browser does: theme, notifications, server information, and the real translations.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { act, cleanup, configure, render } from '@testing-library/react';
import i18next from 'i18next';
import type { ReactNode } from 'react';
import { expect, onTestFinished, vi } from 'vitest';
import { startI18n } from '../../../shared/i18n/start.ts';
import { FENCES_SHOWN_PATH } from '../../../shared/protocol/api/fences/fences.ts';
import type { ServerInfo } from '../../../shared/protocol/api/system.ts';
import type { MemberGroup, UserStatus } from '../../../shared/protocol/api.ts';
import { FRAME_NAMESPACES } from '../../../shared/ui/frame/namespaces.ts';
import { PageFrame } from '../../../shared/ui/mountPage.tsx';
import { closeSession } from '../../../shared/ui/session.ts';
import { type FakeGateway, fakeGateway, LOCALES, readTranslation } from '../fakes/fakeGateway.ts';
import { FULL_USER, GROUPS, GROUPS_PATH, SERVER, SERVER_PATH, STATUS_PATH } from '../fakes/fakeUsers.ts';

const NAMESPACES = ['Common', 'TopBar', 'Errors', 'Shell', ...FRAME_NAMESPACES];

export interface PageSetUp {
  readonly user?: Partial<UserStatus>;
  readonly groups?: readonly MemberGroup[];
  readonly server?: Partial<ServerInfo>;
  readonly locale?: 'en' | 'zh-TW' | 'jp';
}

/** A gateway that answers who is there, what the server is and which groups there are; the test changes what it wants. */
export function planGateway({ user, groups = GROUPS, server }: PageSetUp = {}): FakeGateway {
  const gateway = fakeGateway();
  gateway.on(`GET ${STATUS_PATH}`, { error: false, data: { ...FULL_USER, ...user } });
  gateway.on(`GET ${SERVER_PATH}`, { error: false, data: { ...SERVER, ...server } });
  gateway.on(`GET ${GROUPS_PATH}`, { error: false, data: groups });
  // Every map asks for them.
  gateway.on(`GET ${FENCES_SHOWN_PATH}`, { error: false, data: [] });
  return gateway;
}

/** Needs a gateway that is planned already. Resolves when the texts are there and the first answers are shown. */
export async function renderPage(
  page: ReactNode,
  locale: PageSetUp['locale'] = 'en',
): Promise<ReturnType<typeof render>> {
  localStorage.setItem('language', locale);
  if (!i18next.isInitialized) await startTexts();
  await i18next.changeLanguage(locale);
  failOnErrors();
  onTestFinished(() => {
    cleanup();
    closeSession();
    localStorage.clear();
  });
  const shown = render(<PageFrame>{page}</PageFrame>, { onCaughtError: (error) => console.warn(error) });
  await settle();
  return shown;
}

/** All texts at once: what is still on its way when a test ends would be missing in the next. */
async function startTexts(): Promise<void> {
  await startI18n({ namespaces: NAMESPACES });
  for (const locale of readdirSync(LOCALES)) {
    for (const file of readdirSync(join(LOCALES, locale))) {
      const namespace = file.replace('.json', '');
      i18next.addResourceBundle(locale, namespace, readTranslation(locale, namespace));
    }
  }
}

/**
 * Where a dialog takes the focus while another part is still loaded, React complains of an `act` that nobody can await: user-event
 * wraps each change of the focus in one. Whether that comes together depends on which files the worker has run before.
 */
const OF_USER_EVENT = 'A component suspended inside an `act` scope, but the `act` call was not awaited.';

/** What React and the page complain of fails the test. */
function failOnErrors(): void {
  const errors: unknown[] = [];
  const spy = vi.spyOn(console, 'error').mockImplementation((...parts) => {
    if (!String(parts[0]).startsWith(OF_USER_EVENT)) errors.push(...parts);
  });
  onTestFinished(() => {
    spy.mockRestore();
    expect(errors, 'errors in the console').toEqual([]);
  });
}

/** Lets answered calls reach the screen. */
export async function settle(): Promise<void> {
  await act(async () => {
    for (let turn = 0; turn < 5; turn++) await new Promise<void>((resolve) => setTimeout(resolve, 0));
  });
}

interface HappyDom {
  readonly settings: {
    enableIframePageLoading: boolean;
    readonly fetch: { interceptor: { beforeAsyncRequest(): Promise<Response> } | null };
  };
  setViewport(size: { readonly width: number; readonly height: number }): void;
}

const { happyDOM } = window as unknown as { readonly happyDOM: HappyDom };

// Whether an element is hidden by style is asked of a real browser, in test/e2e; here the question takes most of the time. What is
// waited for comes when the machine gets to it: the limit is for what hangs.
configure({ defaultHidden: true, asyncUtilTimeout: 20_000 });
// Every frame loads, and is empty: what is in it is the browser tests' business.
happyDOM.settings.enableIframePageLoading = true;
happyDOM.settings.fetch.interceptor = {
  beforeAsyncRequest: async () => new Response('<html></html>', { headers: { 'content-type': 'text/html' } }),
};

/** Sets the window's width as media queries see it. */
export function setWindowWidth(width: number): void {
  happyDOM.setViewport({ width, height: 900 });
}

/** Failures are logged as warnings: expected ones are taken here instead of cluttering the test's output. */
export function watchWarnings(): readonly string[] {
  const warnings: string[] = [];
  const spy = vi.spyOn(console, 'warn').mockImplementation((...parts) => void warnings.push(parts.join(' ')));
  onTestFinished(() => spy.mockRestore());
  return warnings;
}

/**
 * The paths of the files that the page downloads from now on, in order; the list grows. A frame that starts a download goes as soon as something
 * has loaded into it, as everything does in component tests, so it may be gone before anybody looks for it.
 */
export function watchDownloads(): readonly string[] {
  const paths: string[] = [];
  const observer = new MutationObserver((changes) => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (node instanceof HTMLIFrameElement) paths.push(new URL(node.src).pathname);
    }
  });
  observer.observe(document.body, { childList: true });
  onTestFinished(() => observer.disconnect());
  return paths;
}
