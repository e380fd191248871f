// `npm run test:mutants`: plants faults one at a time and shows that the tests of their subject find them.
import { EXIT_WRONG_ARGUMENTS } from '../../server/commands/readArguments.ts';
import { StepFailed } from '../../server/setup/child.mjs';
import { provideOrFail } from '../../server/setup/provide.mjs';
import { chromium, ffmpeg, packageCheckers, postgres } from '../../server/setup/tools.mjs';
import { faultTable } from './faultTable.ts';
import { chooseMutants, type Mutant, needsProduct, partsOf, plant } from './mutant.ts';
import { MUTANTS } from './mutants.ts';
import { MUTANTS_USAGE, readMutantOptions } from './options.ts';
import { runPart } from './runPart.ts';
import { complaintOf, summaryOf, type Verdict, verdictLine, verdictOf } from './verdict.ts';
import { makeCopy, readOriginal, withChanged } from './workingCopy.ts';

type Env = Readonly<Record<string, string>>;

const say = (text: string): boolean => process.stdout.write(`${text}\n`);
const note = (text: string): boolean => process.stderr.write(`${text}\n`);

let isStopped = false;

/** Gives the exit code. */
async function main(args: readonly string[]): Promise<number> {
  const request = readMutantOptions(args);
  switch (request.kind) {
    case 'help':
      process.stdout.write(MUTANTS_USAGE);
      return 0;
    case 'list':
      say(faultTable(MUTANTS));
      return 0;
    case 'wrong':
      note(request.reason);
      return EXIT_WRONG_ARGUMENTS;
    case 'run':
      return await checkTests(chooseMutants(MUTANTS, request.choice));
  }
}

async function checkTests(mutants: readonly Mutant[]): Promise<number> {
  if (mutants.length === 0) {
    note('There is no fault with such a name; --list prints those that there are.');
    return EXIT_WRONG_ARGUMENTS;
  }
  const env = await findTools(mutants);
  makeCopy();
  const complaints = await complaintsWithoutFault(mutants, env);
  if (isStopped) return 1;
  const verdicts: Verdict[] = [];
  for (const mutant of mutants) {
    const complaint = complaints.get(mutant.part.path);
    const verdict: Verdict =
      complaint === undefined ? await tryMutant(mutant, env) : { isFound: false, reason: `without it, ${complaint}` };
    // What was cut short says nothing.
    if (isStopped) return 1;
    verdicts.push(verdict);
    say(verdictLine(mutant.name, verdict));
  }
  say(summaryOf(verdicts));
  return verdicts.every(({ isFound }) => isFound) ? 0 : 1;
}

/** Every tool that the chosen tests use must be there: tests that are skipped find nothing. */
async function findTools(mutants: readonly Mutant[]): Promise<Env> {
  const withProduct = mutants.some(({ part }) => needsProduct(part));
  const withDatabase = mutants.some(({ part }) => part.layer === 'server');
  const tools = [ffmpeg, packageCheckers, ...(withProduct ? [chromium] : []), ...(withDatabase ? [postgres] : [])];
  return (await provideOrFail(tools, () => true, process.env.CI === 'true')).env;
}

/** What is wrong with parts of the tests before anything is planted, by their paths. */
async function complaintsWithoutFault(mutants: readonly Mutant[], env: Env): Promise<ReadonlyMap<string, string>> {
  const complaints = new Map<string, string>();
  for (const part of partsOf(mutants)) {
    note(`Without a fault: ${part.path}`);
    const complaint = complaintOf(await runPart(part, env));
    if (isStopped) break;
    if (complaint === undefined) continue;
    complaints.set(part.path, complaint);
    note(`  ${complaint}`);
  }
  return complaints;
}

async function tryMutant(mutant: Mutant, env: Env): Promise<Verdict> {
  const planted = plant(mutant, readOriginal(mutant.file));
  if (!planted.ok) return { isFound: false, reason: planted.reason };
  return verdictOf(await withChanged(mutant.file, planted.source, () => runPart(mutant.part, env)));
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    isStopped = true;
  });
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof StepFailed)) throw error;
  note(error.message);
  process.exitCode = error.exitCode;
}
