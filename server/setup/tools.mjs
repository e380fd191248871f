// The programs that tests and benches need beside Node, and where each is looked for.
import { dirname, join } from 'node:path';
import { firstProgram, machine, onPath } from './lookups.mjs';

/**
 * @typedef {import('./lookups.mjs').Lookups} Lookups
 *
 * @typedef {object} Tool
 * @property {string} name for people
 * @property {readonly string[]} debianPackages what apt-get installs it from
 * @property {readonly string[]} [otherPackages] what apt-get installs it from where those are unknown
 * @property {'everyone' | 'ci'} installedFor a database server is put on nobody's machine unasked
 * @property {string} advice what to do where apt-get cannot help
 * @property {string} neededBy what is skipped without it
 * @property {(lookups: Lookups) => Record<string, string> | undefined} find the environment variables that hand it to the
 *   tests, or nothing when it is not there
 */

const BROWSERS = [
  'chromium-headless-shell',
  'google-chrome-stable',
  'google-chrome',
  'chromium',
  'chromium-browser',
  'chrome',
];

/** @type {Tool} */
export const chromium = {
  name: 'Chromium',
  debianPackages: ['chromium-headless-shell'],
  otherPackages: ['chromium'],
  installedFor: 'everyone',
  advice:
    'install Chrome or Chromium, or run `npx playwright-core install chromium`, or set CHROME_PATH to its program',
  neededBy: 'browser and end-to-end tests',
  find: (lookups) => found('CHROME_PATH', findChromium(lookups)),
};

/** @type {Tool} */
export const ffmpeg = {
  name: 'ffmpeg',
  debianPackages: ['ffmpeg'],
  installedFor: 'everyone',
  advice: 'install ffmpeg (ffprobe comes with it), or set FFMPEG_PATH and FFPROBE_PATH',
  neededBy: 'tests that make or examine media with ffmpeg',
  find(lookups) {
    const encoder = named('FFMPEG_PATH', lookups) ?? onPath(['ffmpeg'], lookups);
    const prober = named('FFPROBE_PATH', lookups) ?? onPath(['ffprobe'], lookups);
    return encoder === undefined || prober === undefined ? undefined : { FFMPEG_PATH: encoder, FFPROBE_PATH: prober };
  },
};

/** @type {Tool} */
export const packageCheckers = {
  name: 'unzip, sha256sum or OpenSSL',
  debianPackages: ['unzip', 'coreutils', 'openssl'],
  installedFor: 'everyone',
  advice: 'install unzip, sha256sum (GNU coreutils) and OpenSSL 3 or later',
  neededBy: 'tests that check evidence packages with other programs',
  find: (lookups) =>
    ['unzip', 'sha256sum', 'openssl'].every((name) => onPath([name], lookups) !== undefined) ? {} : undefined,
};

/** @type {Tool} */
export const postgres = {
  name: 'PostgreSQL',
  debianPackages: ['postgresql'],
  installedFor: 'ci',
  advice: "install PostgreSQL's server, or set POSTGRES_BIN to the folder of initdb, or TEST_DATABASE_URL to a server",
  neededBy: 'store tests on PostgreSQL',
  find(lookups) {
    const url = lookups.env.TEST_DATABASE_URL;
    return url ? { TEST_DATABASE_URL: url } : found('POSTGRES_BIN', findPostgresFolder(lookups));
  },
};

/**
 * CHROME_PATH, then a browser on the PATH or where its installer puts it, then the newest of Playwright's own. Debian builds its
 * headless shell from the same source as its browser, without the window that no test sees: a page takes a quarter less
 * processor time.
 * @param {Lookups} [lookups]
 * @returns {string | undefined}
 */
export function findChromium(lookups = machine) {
  return (
    named('CHROME_PATH', lookups) ??
    onPath(BROWSERS, lookups) ??
    firstProgram(installedBrowsers(lookups), lookups) ??
    firstProgram(playwrightBrowsers(lookups), lookups)
  );
}

/**
 * The folder that holds PostgreSQL's initdb and postgres. Debian keeps them off the PATH, one folder per version.
 * @param {Lookups} [lookups]
 * @returns {string | undefined}
 */
export function findPostgresFolder(lookups = machine) {
  const debian = '/usr/lib/postgresql';
  const versions = [...lookups.listFolder(debian)].sort((a, b) => Number(b) - Number(a));
  const onThePath = onPath(['initdb'], lookups);
  const folders = [
    lookups.env.POSTGRES_BIN,
    ...versions.map((version) => join(debian, version, 'bin')),
    onThePath === undefined ? undefined : dirname(onThePath),
  ];
  return folders.find(
    (folder) => folder && ['initdb', 'postgres'].every((name) => lookups.isProgram(join(folder, name))),
  );
}

/**
 * A path that the environment names wins even when it is wrong: to run another program in its place would hide the mistake.
 * @param {string} variable
 * @param {Lookups} lookups
 */
function named(variable, lookups) {
  return lookups.env[variable] || undefined;
}

/**
 * @param {string} variable
 * @param {string | undefined} value
 */
function found(variable, value) {
  return value === undefined ? undefined : { [variable]: value };
}

/** @param {Lookups} lookups */
function installedBrowsers(lookups) {
  if (lookups.platform === 'darwin') {
    return [
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
    ];
  }
  if (lookups.platform !== 'win32') return [];
  const roots = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].map((name) => lookups.env[name] ?? '');
  return roots.filter((root) => root !== '').map((root) => join(root, 'Google/Chrome/Application/chrome.exe'));
}

/** Playwright keeps its browsers as `chromium-<revision>`, with a folder per platform below. @param {Lookups} lookups */
function playwrightBrowsers(lookups) {
  const cache = lookups.env.PLAYWRIGHT_BROWSERS_PATH || playwrightCache(lookups);
  const revisions = lookups
    .listFolder(cache)
    .filter((name) => /^chromium-\d+$/.test(name))
    .sort((a, b) => Number(b.slice('chromium-'.length)) - Number(a.slice('chromium-'.length)));
  const programs = [
    'chrome-linux/chrome',
    'chrome-linux64/chrome',
    'chrome-linux-arm64/chrome',
    'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
    'chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
    'chrome-mac-x64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
    'chrome-win/chrome.exe',
    'chrome-win64/chrome.exe',
  ];
  return revisions.flatMap((revision) => programs.map((program) => join(cache, revision, program)));
}

/** @param {Lookups} lookups */
function playwrightCache(lookups) {
  if (lookups.platform === 'darwin') return join(lookups.home, 'Library/Caches/ms-playwright');
  if (lookups.platform === 'win32') return join(lookups.env.LOCALAPPDATA ?? lookups.home, 'ms-playwright');
  return join(lookups.env.XDG_CACHE_HOME || join(lookups.home, '.cache'), 'ms-playwright');
}
