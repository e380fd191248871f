import { act, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { goToPage } from '../../../pages/shell/address.ts';
// Loaded on demand by the page; loaded here ahead, which a busy machine may take its time for.
import '../../../pages/shell/HomeTiles.tsx';
import '../../../pages/shell/PasswordDialog.tsx';
import { Shell } from '../../../pages/shell/Shell.tsx';
import { stay } from '../../../pages/shell/toSignIn.ts';
import { HOME_PAGE } from '../../../shared/protocol/menuPages.ts';
import { ALL_PERMISSIONS } from '../../../shared/protocol/permissions.ts';
import { wallSeconds } from '../../../shared/protocol/time.ts';
import {
  type PageSetUp,
  planGateway,
  renderPage,
  settle,
  setWindowWidth,
  watchWarnings,
} from '../../support/browser/renderPage.tsx';
import { json, readTranslation } from '../../support/fakes/fakeGateway.ts';
import { fakeSockets } from '../../support/fakes/fakeSocket.ts';
import { FULL_USER, GROUPS, GROUPS_PATH, STATUS_PATH } from '../../support/fakes/fakeUsers.ts';

const replace = vi.fn();

beforeEach(() => {
  setWindowWidth(1440);
  replace.mockClear();
  stay();
  vi.spyOn(window.location, 'replace').mockImplementation(replace);
  act(() => goToPage(HOME_PAGE));
});

async function openShell(setUp: PageSetUp = {}) {
  const gateway = planGateway(setUp);
  fakeSockets();
  await renderPage(<Shell />, setUp.locale);
  await screen.findByRole('navigation');
  await settle();
  return gateway;
}

const menu = () => within(screen.getByRole('navigation'));
const frame = () => document.querySelector('iframe');
const tiles = () => [...document.querySelectorAll<HTMLElement>('[data-group]')];

describe('the notice of the license (S-3.3)', () => {
  const inDays = (days: number) => wallSeconds(Math.floor(Date.now() / 1_000) + days * 86_400);
  const notice = () => screen.queryByText(/^The license/);

  test('is for holders of system, with the way to the settings, until it is closed', async () => {
    await openShell({ server: { expired: inDays(6) }, user: { permission: ['system', 'gmsversion'] } });
    const day = new Date(inDays(6) * 1_000).toISOString().slice(0, 10);
    const text = await screen.findByText(`The license expires on ${day}.`);
    const bar = within(text.closest<HTMLElement>('[role=status]') ?? expect.fail('no status'));
    fireEvent.click(bar.getByText('Version'));
    expect(window.location.pathname + window.location.search).toBe('/version?tab=settings');
    fireEvent.click(bar.getByLabelText('Close'));
    expect(notice()).toBeNull();
  });

  test('is shown again once it has expired, also to who has closed the one before', async () => {
    localStorage.setItem('fleetglass:license-notice', `${inDays(-1) * 1_000} 1`);
    await openShell({ server: { expired: inDays(-1) }, user: { permission: ['system'] } });
    const text = await screen.findByText('The license has expired. Everything goes on working. Renew the license.');
    // The page is for holders of its permission.
    const bar = within(text.closest<HTMLElement>('[role=status]') ?? expect.fail('no status'));
    expect(bar.queryByText('Version')).toBeNull();
  });

  test.each([
    ['months before', { server: { expired: inDays(31) }, user: { permission: ['system'] } }],
    ['without an end', { server: { expired: wallSeconds(0) }, user: { permission: ['system'] } }],
    ['to others', { server: { expired: inDays(1) }, user: { permission: ['event'] } }],
  ])('is not shown %s', async (_when, setUp) => {
    await openShell(setUp);
    expect(notice()).toBeNull();
  });
});

describe('before it is known who is there (S-4.1, X-2)', () => {
  test('the shell waits, and shows neither content nor sign-in', async () => {
    const gateway = planGateway();
    gateway.on(`GET ${STATUS_PATH}`, () => new Promise(() => undefined));
    await renderPage(<Shell />);
    expect(screen.getByRole('progressbar', { name: 'Loading' })).toBeDefined();
    expect(screen.queryByRole('navigation')).toBeNull();
    expect(replace).not.toHaveBeenCalled();
  });

  test.each([
    ['an error of the server', () => json({ error: true }, { status: 500 })],
    ['no answer', () => new TypeError('Failed to fetch')],
    ['something that is no answer', () => new Response('<html>')],
  ])('%s is waited out and only logged (S-8.12)', async (_, answer) => {
    const warnings = watchWarnings();
    const gateway = planGateway();
    gateway.on(`GET ${STATUS_PATH}`, answer);
    await renderPage(<Shell />);
    expect(screen.getByRole('progressbar')).toBeDefined();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(replace).not.toHaveBeenCalled();
    expect(warnings).toHaveLength(1);
  });

  test('nobody is sent to sign-in, with the way back', async () => {
    act(() => goToPage({ ...HOME_PAGE, src: '/innerpage/report.html' }));
    const gateway = planGateway();
    gateway.on(`GET ${STATUS_PATH}`, { error: false, data: { login: false } });
    await renderPage(<Shell />);
    expect(replace.mock.calls).toEqual([['/innerpage/login.html?return=%2Freport']]);
    expect(screen.queryByRole('navigation')).toBeNull();
  });
});

describe('the side menu', () => {
  test('has a logo, the user name as text and a Logout button (S-2.1.2 to S-2.1.4)', async () => {
    await openShell({ user: { username: 'Zoë <b>' } });
    expect(menu().getByRole('img', { name: 'Logo' })).toBeDefined();
    expect(menu().getByText('Zoë <b>').querySelector('b')).toBeNull();
    expect(menu().getByRole('button', { name: 'Logout' })).toBeDefined();
  });

  test('lists the pages in two groups, in order', async () => {
    await openShell();
    const [main, admin] = menu().getAllByRole('list');
    expect(within(main ?? document.body).getAllByRole('link')).toHaveLength(9);
    expect(within(admin ?? document.body).getAllByRole('link')).toHaveLength(10);
  });

  test('lists only what the user may open, and no admin group without admin pages (S-6.2)', async () => {
    await openShell({ user: { permission: ['event', 'member'] } });
    const [own, ...pages] = menu().getAllByRole('link');
    expect(own?.getAttribute('aria-label')).toBe('My account');
    expect(pages.map((link) => link.textContent)).toEqual([
      'Home',
      'Dashboard',
      'GPS Playback',
      'Today Event',
      'History Event',
    ]);
    expect(menu().queryByText('Administration')).toBeNull();
  });

  test('marks the current page, frames it, and goes back home (S-2.1.11, S-2.1.13)', async () => {
    await openShell();
    expect(frame()).toBeNull();
    await userEvent.click(menu().getByRole('link', { name: 'Report' }));
    expect(frame()?.getAttribute('src')).toBe('/innerpage/report.html');
    expect(frame()?.title).toBe('Report');
    expect(window.location.pathname).toBe('/report');
    expect(menu().getByRole('link', { current: 'page' }).textContent).toBe('Report');
    expect(tiles()).toEqual([]);

    await userEvent.click(menu().getByRole('link', { name: 'Home' }));
    expect(frame()).toBeNull();
    expect(tiles().length).toBe(18);
  });

  test('a click for a new tab is left to the browser', async () => {
    await openShell();
    const link = menu().getByRole('link', { name: 'Report' });
    expect(link.getAttribute('href')).toBe('/report');
    expect(fireEvent.click(link, { ctrlKey: true })).toBe(true);
    expect(frame()).toBeNull();
  });

  test('another page is a new frame, so that the frame adds no history entries', async () => {
    await openShell();
    await userEvent.click(menu().getByRole('link', { name: 'Report' }));
    const first = frame();
    await userEvent.click(menu().getByRole('link', { name: 'Fence' }));
    expect(frame()).not.toBe(first);
  });
});

describe('the footer (S-6.5, S-6.6)', () => {
  const rows = () => [...document.querySelectorAll('dl > div')].map((row) => row.textContent);

  test.each([
    [30, 1_795_132_800, ['Retention (days)30', 'Record expiry2026-11-20']],
    [0, 1_795_132_800, ['Record expiry2026-11-20']],
    [30, 0, ['Retention (days)30']],
    [0, 0, []],
  ])('retention %i and expiry %i show %j', async (retentiondays, expirydate, expected) => {
    await openShell({ user: { permission: [], retentiondays, expirydate: expirydate as never } });
    expect(rows()).toEqual(expected);
  });

  test('with system come version, licences and their end, in every language with the same date', async () => {
    await openShell({ user: { permission: ['system'], retentiondays: 0, expirydate: 0 as never }, locale: 'jp' });
    const texts = readTranslation('jp', 'Shell');
    expect(rows()).toEqual([
      `${texts['Server version']}0.1.0`,
      `${texts['Max licenses']}250`,
      `${texts['License expiry']}2029-12-31`,
    ]);
  });
});

describe('signing out (S-4.2)', () => {
  test.each([
    [false, [['/innerpage/login.html']]],
    [true, []],
  ])('an answer with login %s leads to %j', async (login, expected) => {
    const gateway = await openShell();
    gateway.on('GET /api/user/logout', { error: false, data: { login } });
    await userEvent.click(menu().getByRole('button', { name: 'Logout' }));
    await settle();
    expect(replace.mock.calls).toEqual(expected);
  });

  test('a failed call changes nothing and is only logged', async () => {
    const warnings = watchWarnings();
    const gateway = await openShell();
    gateway.on('GET /api/user/logout', () => new TypeError('Failed to fetch'));
    await userEvent.click(menu().getByRole('button', { name: 'Logout' }));
    await settle();
    expect(replace).not.toHaveBeenCalled();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(warnings).toHaveLength(1);
  });
});

describe('the group selector', () => {
  const select = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Member group' });

  test('shows the groups and the current one (S-2.1.5)', async () => {
    await openShell({ user: { membergroup: 2 } });
    const options = within(select())
      .getAllByRole('option')
      .map((option) => option.textContent);
    expect(options).toEqual(GROUPS.map((group) => group.name));
    expect(select().value).toBe('2');
  });

  test('says so when the current group is none of them', async () => {
    await openShell({ user: { membergroup: 0 } });
    expect(select().selectedOptions[0]?.textContent).toBe('No group');
  });

  test('is not there without groups (S-5.6)', async () => {
    await openShell({ groups: [] });
    expect(screen.queryByRole('combobox', { name: 'Member group' })).toBeNull();
  });

  test('without the permission no group is even asked for (S-6.4)', async () => {
    const permission = ALL_PERMISSIONS.filter((each) => each !== 'membergroup');
    const gateway = await openShell({ user: { permission } });
    expect(screen.queryByRole('combobox', { name: 'Member group' })).toBeNull();
    expect(gateway.callsOf(GROUPS_PATH)).toEqual([]);
  });

  test('groups that fail to come are only logged (S-8.12)', async () => {
    const warnings = watchWarnings();
    const gateway = planGateway();
    gateway.on(`GET ${GROUPS_PATH}`, () => json({ error: true }, { status: 500 }));
    await renderPage(<Shell />);
    expect(screen.queryByRole('combobox', { name: 'Member group' })).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(warnings).toHaveLength(1);
  });

  test('a change is sent, then the status is asked for once, the menu and the frame follow (S-4.3, A-31)', async () => {
    const gateway = await openShell();
    await userEvent.click(menu().getByRole('link', { name: 'Report' }));
    const before = frame();
    gateway.on('PUT /api/system/member', { error: false });
    gateway.on(`GET ${STATUS_PATH}`, {
      error: false,
      data: { ...FULL_USER, membergroup: 1, permission: ['report', 'membergroup'] },
    });
    const requests = gateway.callsOf(STATUS_PATH).length;

    await userEvent.selectOptions(select(), '1');
    await settle();

    expect(gateway.callsOf('/api/system/member').map((call) => call.body)).toEqual([{ self: true, membergroup: 1 }]);
    expect(gateway.callsOf(STATUS_PATH).length).toBe(requests + 1);
    expect(select().value).toBe('1');
    expect(menu().queryByRole('link', { name: 'Fence' })).toBeNull();
    expect(frame()).not.toBe(before);
    expect(frame()?.getAttribute('src')).toBe('/innerpage/report.html');
  });

  test('a refused change leaves the old group, asks for no status and is only logged (S-7.5)', async () => {
    const warnings = watchWarnings();
    const gateway = await openShell();
    gateway.on('PUT /api/system/member', () => json({ error: true, message: 'no' }, { status: 403 }));
    const requests = gateway.callsOf(STATUS_PATH).length;
    await userEvent.selectOptions(select(), '1');
    await settle();
    expect(select().value).toBe('2');
    expect(gateway.callsOf(STATUS_PATH).length).toBe(requests);
    expect(screen.queryByRole('alert')).toBeNull();
    expect(warnings).toHaveLength(1);
  });
});

describe('the home tiles', () => {
  test('are eight and ten, with a separator between, all with a drawing of their own (S-2.2.1 to S-2.2.4)', async () => {
    await openShell();
    expect(tiles().map((tile) => tile.dataset.group)).toEqual([...Array(8).fill('main'), ...Array(10).fill('admin')]);
    expect(screen.getAllByRole('separator')).toHaveLength(1);
    const drawings = tiles().map((tile) => tile.querySelector('svg')?.innerHTML);
    expect(new Set(drawings).size).toBe(18);
    expect(drawings).not.toContain(undefined);
  });

  test('are two for a user without permissions, and there is no separator (A-20)', async () => {
    await openShell({ user: { permission: [] } });
    expect(tiles().map((tile) => tile.textContent)).toEqual(['Dashboard', 'GPS Playback']);
    expect(screen.queryByRole('separator')).toBeNull();
  });

  test('bear the translated names and change them with the language (S-2.2.5)', async () => {
    await openShell({ locale: 'zh-TW', user: { permission: [] } });
    expect(tiles().map((tile) => tile.textContent)).toEqual([
      readTranslation('zh-TW', 'Menu').Dashboard,
      readTranslation('zh-TW', 'Menu')['GPS Playback'],
    ]);
    await userEvent.selectOptions(within(screen.getByRole('banner')).getByRole('combobox'), 'jp');
    await settle();
    expect(tiles()[0]?.textContent).toBe(readTranslation('jp', 'Menu').Dashboard);
  });

  test('lead to their page by click and by Enter (S-2.2.6)', async () => {
    await openShell();
    await userEvent.click(tiles()[2] ?? document.body);
    expect(frame()?.getAttribute('src')).toBe('/innerpage/todayevent.html');
    await userEvent.click(menu().getByRole('link', { name: 'Home' }));
    tiles()[17]?.focus();
    await userEvent.keyboard('{Enter}');
    expect(frame()?.getAttribute('src')).toBe('/innerpage/sysbackup.html');
  });
});

describe('addresses', () => {
  test.each([
    ['/nothing/here', 'Page not found. Check the address.'],
    ['/report', "You don't have permission for this page. Ask your administrator for it."],
  ])('%s without a page to show says why and offers the way home', async (path, text) => {
    await openShell({ user: { permission: [] } });
    act(() => {
      window.history.replaceState(null, '', path);
      window.dispatchEvent(new PopStateEvent('popstate'));
    });
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(text);
    expect(frame()).toBeNull();
    await userEvent.click(screen.getByRole('link', { name: 'Go to home page' }));
    expect(tiles()).toHaveLength(2);
  });

  test('the title is the one that the server names', async () => {
    await openShell({ server: { web_title: 'ACME 監視' } });
    expect(document.title).toBe('ACME 監視');
  });
});

describe('on a narrow window', () => {
  const opener = () => screen.getByRole('button', { name: 'Menu' });

  test('the menu is in a panel that a button opens and a close button closes (S-2.1.6, S-4.4)', async () => {
    setWindowWidth(480);
    const gateway = planGateway();
    await renderPage(<Shell />);
    expect(gateway.calls.length).toBeGreaterThan(0);
    expect(screen.queryByRole('navigation')).toBeNull();
    expect(opener().getAttribute('aria-expanded')).toBe('false');

    await userEvent.click(opener());
    expect(screen.getByRole('navigation')).toBeDefined();
    const close = screen.getByRole('button', { name: 'Close' });
    expect(close.getAttribute('aria-expanded')).toBe('true');
    await userEvent.click(close);
    await vi.waitFor(() => expect(screen.queryByRole('navigation')).toBeNull());
  });

  test('choosing a page closes it (S-4.5)', async () => {
    setWindowWidth(480);
    planGateway();
    await renderPage(<Shell />);
    await userEvent.click(opener());
    await userEvent.click(menu().getByRole('link', { name: 'Report' }));
    await vi.waitFor(() => expect(screen.queryByRole('navigation')).toBeNull());
    expect(frame()?.getAttribute('src')).toBe('/innerpage/report.html');
  });
});

describe('changing ones own password', () => {
  async function openDialog() {
    const gateway = await openShell();
    await userEvent.click(menu().getByRole('button', { name: 'Change password' }));
    return { gateway, dialog: within(await screen.findByRole('dialog')) };
  }

  test('needs the present one and the new one twice', async () => {
    const { gateway, dialog } = await openDialog();
    const save = dialog.getByRole<HTMLButtonElement>('button', { name: 'Save' });
    const type = (label: string, text: string) => userEvent.type(dialog.getByLabelText(label), text);
    await type('Current password', 'old password');
    await type('New password', 'short');
    expect(dialog.getByText('Use at least 8 characters.')).toBeDefined();
    await type('New password', ' no longer');
    await type('Repeat new password', 'short no');
    expect(dialog.getByText('Enter the same password twice.')).toBeDefined();
    expect(save.disabled).toBe(true);
    await type('Repeat new password', ' longer');
    expect(save.disabled).toBe(false);

    gateway.on('POST /api/user/password', { error: false, data: { login: true } });
    await userEvent.click(save);
    await settle();
    const sent = gateway.callsOf('/api/user/password').map((call) => call.body);
    expect(sent).toEqual([{ password: 'old password', newPassword: 'short no longer' }]);
    expect(screen.getByText('Password changed.')).toBeDefined();
  });

  test('says when the present one is wrong, and stays open', async () => {
    watchWarnings();
    const { gateway, dialog } = await openDialog();
    gateway.on('POST /api/user/password', () => json({ error: true, code: 'wrong-password' }, { status: 403 }));
    await userEvent.type(dialog.getByLabelText('Current password'), 'x');
    await userEvent.type(dialog.getByLabelText('New password'), 'long enough');
    await userEvent.type(dialog.getByLabelText('Repeat new password'), 'long enough{Enter}');
    await settle();
    expect(dialog.getByRole('alert').textContent).toBe(readTranslation('en', 'Errors')['wrong-password']);
  });
});
