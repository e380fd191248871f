import { describe, expect, it } from 'vitest';
import { isAsset } from '../../../../server/setup/build.mjs';
import { needsProduct, projectsFor } from '../../../../server/setup/test.mjs';

describe('needsProduct', () => {
  it.each([
    [[]],
    [['test/e2e']],
    [['test/unit', 'test/browser/player.test.ts']],
    [['player']],
    [['--project', 'unit']],
  ])('builds for %j', (args) => {
    expect(needsProduct(args)).toBe(true);
  });

  it.each([[['test/unit']], [['./test/server/store/devices.test.ts', 'test/dom/']]])(
    'does not build for %j',
    (args) => {
      expect(needsProduct(args)).toBe(false);
    },
  );
});

describe('isAsset', () => {
  it('takes what the gateway reads at run time', () => {
    expect(['simulator/clips/road.h264', 'server/http/notice.html'].filter(isAsset)).toHaveLength(2);
  });

  it('leaves out sources, their settings and the set-up', () => {
    const sources = [
      'server/main.ts',
      'simulator/tsconfig.json',
      'server/setup/run.mjs',
      'server/setup/notices/texts/MIT.txt',
    ];
    expect(sources.filter(isAsset)).toEqual([]);
  });
});

describe('a run of all tests', () => {
  it.each([
    [[], ['--project=!rules']],
    [['--bail=1'], ['--project=!rules']],
    [['live'], []],
    [['test/rules'], []],
  ])('leaves the rules to the check: %j', (args, projects) => {
    expect(projectsFor(args)).toEqual(projects);
  });
});
