import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { CountReporter } from './support/runner/countReporter.ts';
import { FileOrder } from './support/runner/fileOrder.ts';
import { writeFileSeconds } from './support/runner/fileSeconds.ts';
import { IS_LONG } from './support/runner/long.ts';

type Options = NonNullable<TestProjectInlineConfiguration['test']>;

const LONG_TIMEOUT_MS = 3_600_000;
const root = join(import.meta.dirname, '..');
// They measure time, so they share the machine with nothing: one file at a time.
const alone: Options = { fileParallelism: false, maxWorkers: 1 };
const TIMED = [
  'test/browser/player/{badNetwork,pictureTiming}.test.ts',
  'test/e2e/live/{firstLight,liveSmooth,liveSoundTiming}.test.ts',
  'test/e2e/playback/playback{InStep,Sound}.test.ts',
  'test/e2e/{recordingCrash,robustness}.test.ts',
  'test/server/device/crash.test.ts',
];
// Component tests that start the texts in their own way, or read the address of the page, which is done once: each file has a window, and
// what it loads, to itself.
const OWN_WINDOW = [
  'test/dom/{i18n,player}/**/*.test.{ts,tsx}',
  'test/dom/pages/playback/**/*.test.{ts,tsx}',
  'test/dom/api/sidInAddress.test.ts',
];
const ONE_WINDOW = [join(import.meta.dirname, 'support/runner/domWindow.ts')];
const ITS_WINDOW = [join(import.meta.dirname, 'support/runner/ownWindow.ts')];
// A worker runs one file after another: what they import is loaded once, and one Chromium serves them all.
// Each test leaves much behind at once: with the usual 16 MB for what is new, collecting it costs up to a tenth more.
const shared: Options = { isolate: false, execArgv: ['--max-semi-space-size=64'] };
const withBrowser: Options = {
  ...shared,
  hookTimeout: 120_000,
  // A journey has many waits: one that hangs ends by a time of its own, and names what it waited for.
  testTimeout: 300_000,
  // What a page shows is looked at again until it is as expected.
  expect: { poll: { timeout: 20_000, interval: 50 } },
};
// Tests keep every processor busy: beside them a thread of the lowest priority would hardly run.
const ENVIRONMENT = { BACKGROUND_NICENESS: '0' };
// A test ends when what it waits for is there; the limit is for what hangs, on a machine that does other things too.
const patient: Options = { hookTimeout: 120_000, testTimeout: 120_000 };

export default defineConfig({
  root,
  test: {
    reporters: ['default', new CountReporter(writeFileSeconds)],
    // Tests wait for part of their time: for terminals that send as fast as real ones, for processes and for pages.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // Projects share much of the code: what one has compiled, another reads from the disk.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: FileOrder },
    projects: [
      project('rules', 0),
      project('unit', 0, shared),
      project('dom', 0, { ...shared, setupFiles: ONE_WINDOW, exclude: OWN_WINDOW }),
      project('domAlone', 0, { include: OWN_WINDOW, environment: 'happy-dom', setupFiles: ITS_WINDOW }),
      project('server', 0, {
        ...shared,
        exclude: TIMED,
        globalSetup: join(import.meta.dirname, 'support/postgres/postgresSetup.ts'),
      }),
      project('browser', 0, { ...withBrowser, exclude: TIMED }),
      project('e2e', 0, { ...withBrowser, exclude: TIMED }),
      project('timed', 1, { ...withBrowser, ...alone, include: TIMED }),
      ...(IS_LONG ? [project('long', 2, alone)] : []),
    ],
  },
});

/** The tests of one folder. Projects of the same group run side by side, groups one after another. */
function project(name: string, groupOrder: number, options: Options = {}): TestProjectInlineConfiguration {
  const include = [`test/${name}/**/*.test.{ts,tsx}`];
  const longer: Options = IS_LONG ? { testTimeout: LONG_TIMEOUT_MS } : {};
  const sequence = { groupOrder };
  return { root, test: { name, include, sequence, env: ENVIRONMENT, ...patient, ...options, ...longer } };
}
