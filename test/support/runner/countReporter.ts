import type { Reporter, TestModule, TestRunEndReason } from 'vitest/node';
import { type FileTime, secondsOfProjects, slowestFiles } from './slowestFiles.ts';
import { summaryLine } from './summaryLine.ts';

/** Ends the output of a run with what its projects took, its slowest files and one line of counts. Must be the last reporter. */
export class CountReporter implements Reporter {
  readonly #keepTimes: ((times: readonly FileTime[]) => void) | undefined;

  /** `keepTimes` is given what each file took when a run has come to its end. */
  constructor(keepTimes?: (times: readonly FileTime[]) => void) {
    this.#keepTimes = keepTimes;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[], reason: TestRunEndReason): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string): number => tests.filter((test) => test.result().state === state).length;
    // A file that could not be loaded, a hook that failed and an error that no test owns each fail the run as a test does.
    const brokenGroups = modules.flatMap((module) => [module, ...module.children.allSuites()]);
    const broken = brokenGroups.reduce((sum, group) => sum + group.errors().length, 0) + unhandled.length;
    const cutShort = reason === 'interrupted' ? count('pending') : 0;
    const counts = {
      passed: count('passed'),
      failed: count('failed') + broken + cutShort,
      skipped: count('skipped'),
    };
    const notes = process.env.SKIPPED_NOTES;
    const times = modules.map(fileTime);
    if (reason !== 'interrupted') this.#keepTimes?.(times);
    const lines = [...secondsOfProjects(times), ...slowestFiles(times), ...(notes ? [notes] : []), summaryLine(counts)];
    process.stdout.write(`\n${lines.join('\n')}\n`);
  }
}

/** Time of a file: its tests and hooks, and what came before them in its worker. */
function fileTime(module: TestModule): FileTime {
  const { prepareDuration, environmentSetupDuration, setupDuration, collectDuration, duration } = module.diagnostic();
  const ms = prepareDuration + environmentSetupDuration + setupDuration + collectDuration + duration;
  return { file: module.relativeModuleId, project: module.project.name, ms };
}
