// What a run of Vitest says of a planted fault. Pure.

export interface PartResult {
  readonly passed: number;
  /** Tests that ran and failed. A file that cannot be loaded and a hook that fails leave their tests without a result. */
  readonly failed: number;
  /** Files that failed without a failed test. */
  readonly brokenFiles: number;
}

export type PartRun =
  | { readonly kind: 'ended'; readonly result: PartResult; readonly seconds: number }
  | { readonly kind: 'no-result'; readonly reason: string };

export type Verdict =
  | { readonly isFound: true; readonly tests: number; readonly seconds: number }
  | { readonly isFound: false; readonly reason: string };

interface VitestReport {
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

/** Reads what Vitest's JSON reporter has written. */
export function readReport(json: string): PartResult {
  const { testResults } = JSON.parse(json) as VitestReport;
  const states = testResults.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status));
  const count = (wanted: string): number => states.filter((state) => state === wanted).length;
  const broken = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((assertion) => assertion.status === 'failed'),
  );
  return { passed: count('passed'), failed: count('failed'), brokenFiles: broken.length };
}

/** A fault is found by a test that fails. A product that does not start or is never done proves nothing. */
export function verdictOf(run: PartRun): Verdict {
  if (run.kind === 'no-result') return { isFound: false, reason: run.reason };
  const { passed, failed, brokenFiles } = run.result;
  if (failed > 0) return { isFound: true, tests: failed, seconds: run.seconds };
  if (brokenFiles > 0) return { isFound: false, reason: `${countText(brokenFiles, 'file')} could not be run at all` };
  if (passed === 0) return { isFound: false, reason: 'no test ran' };
  return { isFound: false, reason: `${countText(passed, 'test')} passed all the same` };
}

/** Why the tests cannot tell anything of a fault: they fail without one. Undefined when they pass. */
export function complaintOf(run: PartRun): string | undefined {
  if (run.kind === 'no-result') return run.reason;
  const { passed, failed, brokenFiles } = run.result;
  if (failed > 0) return `${countText(failed, 'test')} failed`;
  if (brokenFiles > 0) return `${countText(brokenFiles, 'file')} could not be run`;
  return passed === 0 ? 'no test ran' : undefined;
}

export function verdictLine(name: string, verdict: Verdict): string {
  if (!verdict.isFound) return `NOT FOUND (${verdict.reason}): ${name}`;
  return `found by ${countText(verdict.tests, 'test')} in ${verdict.seconds.toFixed(1)} s: ${name}`;
}

export function summaryOf(verdicts: readonly Verdict[]): string {
  const found = verdicts.filter(({ isFound }) => isFound).length;
  return `${found} found, ${verdicts.length - found} not found`;
}

function countText(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
