// Every page of the table: who finds it in the menu and among the tiles, and what opens when it is chosen.
import { act, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { goToPage } from '../../../pages/shell/address.ts';
// Loaded on demand by the page; loaded here ahead, which a busy machine may take its time for.
import '../../../pages/shell/HomeTiles.tsx';
import { Shell } from '../../../pages/shell/Shell.tsx';
import { HOME_PAGE, MENU_PAGES } from '../../../shared/protocol/menuPages.ts';
import { ALL_PERMISSIONS } from '../../../shared/protocol/permissions.ts';
import { planGateway, renderPage, settle, setWindowWidth } from '../../support/browser/renderPage.tsx';
import { fakeSockets } from '../../support/fakes/fakeSocket.ts';

beforeEach(() => {
  setWindowWidth(1440);
  vi.spyOn(window.location, 'replace').mockImplementation(() => undefined);
  act(() => goToPage(HOME_PAGE));
});

async function openShell(permission: readonly string[]): Promise<void> {
  planGateway({ user: { permission }, groups: [] });
  fakeSockets();
  await renderPage(<Shell />);
  await screen.findByRole('navigation');
  await settle();
}

const menu = () => within(screen.getByRole('navigation'));
const frame = () => document.querySelector('iframe')?.getAttribute('src') ?? null;
const tiles = () => [...document.querySelectorAll<HTMLElement>('[data-group]')];
const namesOf = (links: readonly HTMLElement[]) => links.map((link) => link.textContent ?? '').filter(Boolean);
/** The way to one's own account is an icon beside the name, and no entry. */
const entries = () => namesOf(menu().getAllByRole('link'));

const rows = MENU_PAGES.map((row, index) => ({ ...row, id: `S-2.4.${index + 1}` }));

/** What the table says that these permissions open. */
const namesFor = (permission: readonly string[]): string[] =>
  MENU_PAGES.filter((row) => neededFor(row).every((each) => permission.includes(each))).map(({ name }) => name);

function neededFor({ permission, group }: (typeof MENU_PAGES)[number]): string[] {
  const own = permission === null ? [] : [permission];
  return group === 'admin' ? ['system', ...own] : own;
}

describe('a user with exactly the permissions of a page', () => {
  test.each(rows)('$id finds $name, and it opens', async (row) => {
    await openShell(neededFor(row));
    expect(entries()).toContain(row.name);
    expect(entries()).toEqual(namesFor(neededFor(row)));
    expect(namesOf(tiles())).toEqual(entries().filter((name) => name !== 'Home'));
    await act(async () => menu().getByRole('link', { name: row.name }).click());
    await settle();
    expect(frame()).toBe(row.src === '/' ? null : row.src);
  });
});

describe('a user with all permissions but those of a page', () => {
  const needed = [...new Set(MENU_PAGES.flatMap(neededFor))];

  test.each(needed)('without %s finds none of the pages that need it, and all others (S-6.2)', async (left) => {
    const permission = ALL_PERMISSIONS.filter((each) => each !== left);
    await openShell(permission);
    expect(entries()).toEqual(namesFor(permission));
    expect(MENU_PAGES.filter((row) => neededFor(row).includes(left)).length).toBeGreaterThan(0);
    expect(entries().length).toBeLessThan(MENU_PAGES.length);
    expect(namesOf(tiles())).toEqual(entries().filter((name) => name !== 'Home'));
  });
});

test.each(['system', 'member', 'eventconfig', 'eventdefine'])(
  '%s alone opens no page of administrators (S-6.3)',
  async (permission) => {
    await openShell([permission]);
    expect(entries()).toEqual(['Home', 'Dashboard', 'GPS Playback']);
  },
);

test('all framed pages lie below /innerpage/ (S-2.4.20)', () => {
  expect(MENU_PAGES.filter(({ src }) => src !== '/' && !src.startsWith('/innerpage/'))).toEqual([]);
});

test('every tile and every entry leads to the page of its name (S-2.2.6)', async () => {
  await openShell(ALL_PERMISSIONS);
  const pathOf = (src: string) => src.replace('/innerpage', '').replace('.html', '');
  const framed = MENU_PAGES.filter((row) => row.src !== '/');
  const leadsOf = (links: readonly HTMLElement[]) =>
    links.map((link) => [link.textContent, link.getAttribute('href')]).filter(([name]) => name !== '');
  expect(leadsOf(tiles())).toEqual(framed.map(({ name, src }) => [name, pathOf(src)]));
  expect(leadsOf(menu().getAllByRole('link'))).toEqual(MENU_PAGES.map(({ name, src }) => [name, pathOf(src)]));
  for (const { name, src } of framed.filter((_, index) => index % 6 === 0)) {
    await act(async () =>
      tiles()
        .find((each) => each.textContent === name)
        ?.click(),
    );
    await settle();
    expect([frame(), window.location.pathname]).toEqual([src, pathOf(src)]);
    expect(namesOf(menu().getAllByRole('link', { current: 'page' }))).toEqual([name]);
    await act(async () => menu().getByRole('link', { name: 'Home' }).click());
    await settle();
  }
});
