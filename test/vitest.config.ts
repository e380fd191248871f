import { join } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { CountReporter } from './support/countReporter.ts';

type Options = NonNullable<TestProjectInlineConfiguration['test']>;

const root = join(import.meta.dirname, '..');
// They measure time, so they share the machine with nothing: one file at a time, after everything else.
const alone: Options = { fileParallelism: false, hookTimeout: 60_000 };

export default defineConfig({
  root,
  test: {
    reporters: ['default', new CountReporter()],
    projects: [
      project('rules', 0),
      project('unit', 0),
      project('dom', 0, { environment: 'happy-dom' }),
      project('server', 1, { globalSetup: join(import.meta.dirname, 'support/postgresSetup.ts') }),
      project('browser', 2, { ...alone, testTimeout: 30_000 }),
      project('e2e', 3, { ...alone, testTimeout: 60_000 }),
      ...(process.env.LONG_TESTS === 'true' ? [project('long', 4, { ...alone, testTimeout: 3_600_000 })] : []),
    ],
  },
});

/** The tests of one folder. Projects of the same group run side by side, groups one after another. */
function project(name: string, groupOrder: number, options: Options = {}): TestProjectInlineConfiguration {
  return { root, test: { name, include: [`test/${name}/**/*.test.{ts,tsx}`], sequence: { groupOrder }, ...options } };
}
