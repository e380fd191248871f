import { describe, expect, it } from 'vitest';
import {
  chromium,
  ffmpeg,
  findChromium,
  findPostgresFolder,
  packageCheckers,
  postgres,
} from '../../../../server/setup/tools.mjs';

/** A machine with these programs and environment; folders are what lies in the programs' paths. */
function machineWith(programs: readonly string[], env: Record<string, string> = {}, platform = 'linux') {
  return {
    env: { PATH: '/usr/local/bin:/usr/bin', ...env },
    platform,
    home: '/root',
    isProgram: (path: string) => programs.includes(path),
    listFolder: (folder: string) => {
      const below = programs.filter((path) => path.startsWith(`${folder}/`));
      return [...new Set(below.map((path) => path.slice(folder.length + 1).split('/')[0] ?? ''))];
    },
  };
}

const cache = '/root/.cache/ms-playwright';

describe('findChromium', () => {
  it('takes CHROME_PATH before all else, even one that is not there', () => {
    expect(findChromium(machineWith(['/usr/bin/chromium'], { CHROME_PATH: '/opt/chrome' }))).toBe('/opt/chrome');
  });

  it('takes a browser on the PATH before one of Playwright', () => {
    const programs = [`${cache}/chromium-1200/chrome-linux/chrome`, '/usr/bin/chromium'];
    expect(findChromium(machineWith(programs))).toBe('/usr/bin/chromium');
  });

  it('takes the headless shell of Debian before its browser', () => {
    expect(findChromium(machineWith(['/usr/bin/chromium', '/usr/bin/chromium-headless-shell']))).toBe(
      '/usr/bin/chromium-headless-shell',
    );
  });

  it("takes the newest of Playwright's own, by number", () => {
    const programs = [`${cache}/chromium-999/chrome-linux/chrome`, `${cache}/chromium-1200/chrome-linux64/chrome`];
    expect(findChromium(machineWith(programs))).toBe(`${cache}/chromium-1200/chrome-linux64/chrome`);
  });

  it('looks where PLAYWRIGHT_BROWSERS_PATH says, and takes no other browser that lies there', () => {
    const programs = ['/browsers/firefox-1500/chrome-linux/chrome', '/browsers/chromium-7/chrome-linux/chrome'];
    const lookups = machineWith(programs, { PLAYWRIGHT_BROWSERS_PATH: '/browsers' });
    expect(findChromium(lookups)).toBe('/browsers/chromium-7/chrome-linux/chrome');
  });

  it('finds Chrome where macOS keeps it', () => {
    const program = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
    expect(findChromium(machineWith([program], {}, 'darwin'))).toBe(program);
  });

  it('finds nothing on a bare machine', () => {
    expect(findChromium(machineWith([]))).toBeUndefined();
    expect(chromium.find(machineWith([]))).toBeUndefined();
  });
});

describe('the ffmpeg finder', () => {
  it('wants both programs', () => {
    expect(ffmpeg.find(machineWith(['/usr/bin/ffmpeg']))).toBeUndefined();
    expect(ffmpeg.find(machineWith(['/usr/bin/ffmpeg', '/usr/local/bin/ffprobe']))).toEqual({
      FFMPEG_PATH: '/usr/bin/ffmpeg',
      FFPROBE_PATH: '/usr/local/bin/ffprobe',
    });
  });
});

describe('the finder of what checks evidence packages', () => {
  it('wants every program, wherever it is on the PATH', () => {
    const some = ['/usr/bin/unzip', '/usr/bin/sha256sum'];
    expect(packageCheckers.find(machineWith(some))).toBeUndefined();
    expect(packageCheckers.find(machineWith([...some, '/usr/local/bin/openssl']))).toEqual({});
  });
});

describe('the PostgreSQL finder', () => {
  const version = (number: number): string[] =>
    ['initdb', 'postgres'].map((name) => `/usr/lib/postgresql/${number}/bin/${name}`);

  it('takes the newest version off the PATH, by number', () => {
    expect(findPostgresFolder(machineWith([...version(9), ...version(15)]))).toBe('/usr/lib/postgresql/15/bin');
  });

  it('passes over a folder without the server, as a client package leaves it', () => {
    const programs = ['/usr/lib/postgresql/16/bin/initdb', ...version(15)];
    expect(findPostgresFolder(machineWith(programs))).toBe('/usr/lib/postgresql/15/bin');
  });

  it('finds one on the PATH', () => {
    expect(findPostgresFolder(machineWith(['/usr/local/bin/initdb', '/usr/local/bin/postgres']))).toBe(
      '/usr/local/bin',
    );
  });

  it('prefers a server that is named to one that it would have to start', () => {
    const lookups = machineWith(version(15), { TEST_DATABASE_URL: 'postgresql://db/test' });
    expect(postgres.find(lookups)).toEqual({ TEST_DATABASE_URL: 'postgresql://db/test' });
    expect(postgres.find(machineWith(version(15)))).toEqual({ POSTGRES_BIN: '/usr/lib/postgresql/15/bin' });
  });
});
