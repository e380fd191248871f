// The pages of the menu: names, addresses, icons and permissions. The gateway serves by this table, the shell shows it.
import { Permission } from './permissions.ts';

export type MenuGroup = 'main' | 'admin';

export interface MenuPage {
  /** Key in the Menu namespace. */
  readonly name: string;
  /** What the shell frames; `/` frames nothing and shows the tiles. */
  readonly src: string;
  /** Icon class: names the drawing in shared/ui. */
  readonly icon: string;
  /** Needed to see the page; null for pages that every user has. Admin pages need `system` beside it. */
  readonly permission: Permission | null;
  readonly group: MenuGroup;
}

export const INNER_PREFIX = '/innerpage/';
export const LOGIN_SRC = '/innerpage/login.html';

/** The one page that is no frame. */
export const HOME_PAGE: MenuPage = { name: 'Home', src: '/', icon: 'icon-home', permission: null, group: 'main' };

/** Everybody's own account: reached from beside the user's name, and no entry of the menu. */
export const OWN_PAGE: MenuPage = {
  name: 'My account',
  src: '/innerpage/account.html',
  icon: 'icon-account',
  permission: null,
  group: 'main',
};

/** In the menu's order, which is the tiles' order too. */
export const MENU_PAGES: readonly MenuPage[] = [
  HOME_PAGE,
  main('Dashboard', 'dashboard', null),
  main('GPS Playback', 'gpsplayback', null),
  main('Today Event', 'todayevent', 'event'),
  main('History Event', 'historyevent', 'event'),
  main('Report', 'report', 'report'),
  main('Device Firmware', 'firmware', 'fwupdate'),
  main('Datasync', 'datasync', 'datasync'),
  main('Device Netflow', 'devicenetflow', 'netflow'),
  admin('Device Group', 'devicegroup', 'devicegroup'),
  admin('Account', 'membership', 'member'),
  admin('Event Config', 'eventconfig', 'eventconfig'),
  admin('Event Notify Config', 'eventnotifyconfig', 'eventnotifyconfig'),
  admin('Event Define', 'eventdefine', 'eventdefine'),
  admin('Fence', 'fencesetting', 'fence'),
  admin('Version', 'version', 'gmsversion'),
  admin('Sender Setting', 'sender', 'sender'),
  admin('Template Setting', 'template', 'template'),
  admin('System Backup', 'sysbackup', 'sysbackup'),
];

function main(name: string, file: string, permission: Permission | null): MenuPage {
  return { name, src: `${INNER_PREFIX}${file}.html`, icon: `icon-${file}`, permission, group: 'main' };
}

function admin(name: string, file: string, permission: Permission): MenuPage {
  return { name, src: `${INNER_PREFIX}${file}.html`, icon: `icon-${file}`, permission, group: 'admin' };
}

/** Whether a user with these permissions sees the page: its own permission, and `system` too for an admin page. */
export function mayOpenPage(permissions: readonly string[], page: MenuPage): boolean {
  if (page.group === 'admin' && !permissions.includes(Permission.System)) return false;
  return page.permission === null || permissions.includes(page.permission);
}

/** The pages open to a user with these permissions, in the menu's order. */
export function pagesFor(permissions: readonly string[]): readonly MenuPage[] {
  return MENU_PAGES.filter((page) => mayOpenPage(permissions, page));
}

/** The shell's address of a page: `/dashboard` for `/innerpage/dashboard.html`, `/` for the tiles. */
export function addressOfPage(page: Pick<MenuPage, 'src'>): string {
  return page.src === '/' ? '/' : `/${page.src.slice(INNER_PREFIX.length, -'.html'.length)}`;
}

/** The page that a path of the shell means; one slash at its end is ignored. Undefined for an unknown path. */
export function pageAtAddress(path: string): MenuPage | undefined {
  const address = /[^/]\/$/.test(path) ? path.slice(0, -1) : path;
  return [...MENU_PAGES, OWN_PAGE].find((page) => addressOfPage(page) === address);
}
