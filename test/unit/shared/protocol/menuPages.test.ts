import { describe, expect, test } from 'vitest';
import {
  addressOfPage,
  HOME_PAGE,
  MENU_PAGES,
  mayOpenPage,
  pageAtAddress,
  pagesFor,
} from '../../../../shared/protocol/menuPages.ts';
import { ALL_PERMISSIONS } from '../../../../shared/protocol/permissions.ts';

/** The specification's table, typed out once more. */
const MAIN = [
  ['Home', '/', null],
  ['Dashboard', '/innerpage/dashboard.html', null],
  ['GPS Playback', '/innerpage/gpsplayback.html', null],
  ['Today Event', '/innerpage/todayevent.html', 'event'],
  ['History Event', '/innerpage/historyevent.html', 'event'],
  ['Report', '/innerpage/report.html', 'report'],
  ['Device Firmware', '/innerpage/firmware.html', 'fwupdate'],
  ['Datasync', '/innerpage/datasync.html', 'datasync'],
  ['Device Netflow', '/innerpage/devicenetflow.html', 'netflow'],
] as const;
const ADMIN = [
  ['Device Group', '/innerpage/devicegroup.html', 'devicegroup'],
  ['Account', '/innerpage/membership.html', 'member'],
  ['Event Config', '/innerpage/eventconfig.html', 'eventconfig'],
  ['Event Notify Config', '/innerpage/eventnotifyconfig.html', 'eventnotifyconfig'],
  ['Event Define', '/innerpage/eventdefine.html', 'eventdefine'],
  ['Fence', '/innerpage/fencesetting.html', 'fence'],
  ['Version', '/innerpage/version.html', 'gmsversion'],
  ['Sender Setting', '/innerpage/sender.html', 'sender'],
  ['Template Setting', '/innerpage/template.html', 'template'],
  ['System Backup', '/innerpage/sysbackup.html', 'sysbackup'],
] as const;

const names = (permissions: readonly string[]) => pagesFor(permissions).map((page) => page.name);

describe('the menu table', () => {
  test('has the pages of the specification in its order', () => {
    const rows = MENU_PAGES.map(({ name, src, permission, group }) => [name, src, permission, group]);
    expect(rows).toEqual([...MAIN.map((row) => [...row, 'main']), ...ADMIN.map((row) => [...row, 'admin'])]);
  });

  test('every page has an icon class of its own', () => {
    expect(new Set(MENU_PAGES.map((page) => page.icon)).size).toBe(MENU_PAGES.length);
  });

  test('names only permissions that exist', () => {
    const used = MENU_PAGES.flatMap(({ permission }) => (permission === null ? [] : [permission]));
    expect(used.filter((permission) => !ALL_PERMISSIONS.some((known) => known === permission))).toEqual([]);
  });
});

describe('who sees a page (S-6.2, S-6.3)', () => {
  test('without any permission: the three open to all', () => {
    expect(names([])).toEqual(['Home', 'Dashboard', 'GPS Playback']);
  });

  test('both event pages come with the one permission', () => {
    expect(names(['event'])).toEqual(['Home', 'Dashboard', 'GPS Playback', 'Today Event', 'History Event']);
  });

  test.each(ADMIN)('%s needs system and its own permission', (name, _, permission) => {
    expect(names([permission])).not.toContain(name);
    expect(names(['system'])).not.toContain(name);
    expect(names(['system', permission])).toEqual(['Home', 'Dashboard', 'GPS Playback', name]);
  });

  test('system alone opens no page', () => {
    expect(names(['system'])).toEqual(names([]));
  });

  test('an unknown permission changes nothing (S-6.1)', () => {
    expect(names(['root', 'admin', 'Event', 'system '])).toEqual(names([]));
  });

  test('all permissions open all pages', () => {
    expect(MENU_PAGES.every((page) => mayOpenPage(ALL_PERMISSIONS, page))).toBe(true);
  });
});

describe('addresses in the shell', () => {
  test.each(MENU_PAGES)('$name has one, and it leads back to the page', (page) => {
    expect(pageAtAddress(addressOfPage(page))).toBe(page);
  });

  test('they are the pages file names', () => {
    expect(pageAtAddress('/dashboard')?.src).toBe('/innerpage/dashboard.html');
    expect(pageAtAddress('/')).toBe(HOME_PAGE);
  });

  test('one slash at the end is ignored', () => {
    expect(pageAtAddress('/report/')?.name).toBe('Report');
  });

  test.each([
    '/nothing',
    '/Dashboard',
    '/dashboard.html',
    '/innerpage/dashboard.html',
    '/a/b/c',
    '//',
    '/report//',
    '',
  ])('%s names no page', (path) => {
    expect(pageAtAddress(path)).toBeUndefined();
  });
});
