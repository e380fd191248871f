import { describe, expect, it } from 'vitest';
import { fingerprint, isInstallStale } from '../../../../server/setup/staleness.mjs';

describe('isInstallStale', () => {
  const fresh = { lockTimeMs: 100, installTimeMs: 200, installedFor: 'linux-x64-115', runningOn: 'linux-x64-115' };

  it('is content with an installation newer than the lock file, or as old', () => {
    expect(isInstallStale(fresh)).toBe(false);
    expect(isInstallStale({ ...fresh, installTimeMs: 100 })).toBe(false);
  });

  it('installs when nothing was installed, or npm was cut short', () => {
    expect(isInstallStale({ ...fresh, installTimeMs: undefined, installedFor: undefined })).toBe(true);
  });

  it('installs when the lock file is newer', () => {
    expect(isInstallStale({ ...fresh, lockTimeMs: 201 })).toBe(true);
  });

  it('installs when another Node runs than the native modules were fetched for', () => {
    expect(isInstallStale({ ...fresh, runningOn: 'linux-x64-137' })).toBe(true);
  });

  it('trusts an installation that was made by hand', () => {
    expect(isInstallStale({ ...fresh, installedFor: undefined })).toBe(false);
  });
});

describe('fingerprint', () => {
  const files = [
    { path: 'server/main.ts', size: 10, timeMs: 1 },
    { path: 'pages/live/main.tsx', size: 20, timeMs: 2 },
  ];
  const [first, second] = files as [(typeof files)[0], (typeof files)[0]];

  it('does not depend on the order in which files are listed', () => {
    expect(fingerprint([second, first])).toBe(fingerprint(files));
  });

  it.each([
    ['written without a change of size', [{ ...first, timeMs: 3 }, second]],
    ['grown', [{ ...first, size: 11 }, second]],
    ['renamed', [{ ...first, path: 'server/start.ts' }, second]],
    ['removed', [second]],
    ['added', [first, second, { path: 'a.ts', size: 0, timeMs: 0 }]],
  ])('changes when a file is %s', (_what, changed) => {
    expect(fingerprint(changed)).not.toBe(fingerprint(files));
  });
});
