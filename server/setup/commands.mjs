// The commands behind the npm scripts. Each works as the first one after a clone.
import { join } from 'node:path';
import process from 'node:process';
import { runNode, runTogether, StepFailed, waitUnlessStopped, watchNode } from './child.mjs';
import { buildAnew, ensureAddons, ensurePackages, ensureRunnable } from './ensure.mjs';
import { builtGateway, programs } from './paths.mjs';
import { superviseGateway } from './supervise.mjs';
import { runTests } from './test.mjs';
import { runTestsOnNodes } from './testOnNodes.mjs';

/** @type {Readonly<Record<string, (args: readonly string[]) => number | Promise<number>>>} */
const commands = {
  async build() {
    await buildAnew();
    return 0;
  },
  check,
  fix,
  test: (args) => runTests(args, {}),
  'test:long': testLong,
  'test:nodes': runTestsOnNodes,
  // Builds the product itself, and only for the faults whose tests need one.
  'test:mutants': testMutants,
  'test:full': () => firstFault([check, testLong, () => runTestsOnNodes([])]),
  dev: () => runWithAddons(dev),
  start: (args) => runGateway('server/main.js', args),
  demo: (args) => runGateway('simulator/demo.js', args),
  fleet: (args) => runProduct('simulator/fleet.js', args),
  admin: (args) => runProduct('server/main.js', ['admin', ...args]),
  // Builds the product itself: nobody waits for a build to be told of a slip in an option.
  bench: (args) => runWithAddons(() => runNode([programs.tsx, 'test/bench/main.ts', ...args])),
};

/**
 * Resolves with the exit code.
 * @param {string | undefined} name
 * @param {readonly string[]} args
 */
export async function runCommand(name, args) {
  const command = name === undefined ? undefined : commands[name];
  if (command === undefined) {
    console.error(`The commands are: ${Object.keys(commands).join(', ')}.`);
    return 2;
  }
  try {
    await ensurePackages();
    return await command(args);
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    console.error(error.message);
    return error.exitCode;
  }
}

/** Each part of the code with the globals of the platform that it runs on; the gateway's are looked at with the simulator's. */
const ZONES = ['shared/protocol', 'shared', 'workers', 'pages', 'simulator', 'server/setup', 'test'];

/** Goes on after a failure, so that one run shows all there is to mend. The compiler has one thread, so the rest runs beside it. */
async function check() {
  // Under CI Biome colours every single letter, which no log file is readable with.
  const colors = process.stdout.isTTY ? 'force' : 'off';
  // With several threads, the compiler looks at much of the code once in each: it takes twice the time of the processors.
  const types = ZONES.map((zone) => ({
    what: `types of ${zone}`,
    script: [programs.tsc, '-p', zone, '--singleThreaded'],
  }));
  const others = [
    { what: 'licenses', script: [programs.checkNotices] },
    { what: 'lint and format', script: [programs.biome, 'ci', '--error-on-warnings', `--colors=${colors}`] },
    { what: 'unused code and packages', script: [programs.knip, '--no-progress', '--treat-config-hints-as-errors'] },
    {
      what: 'rules',
      script: [programs.vitest, 'run', '--config', 'test/vitest.config.ts', '--project', 'rules'],
    },
  ];
  const failed = (await Promise.all([failedOf(types), failedOf(others), failedAddons()])).flat();
  console.error(failed.length === 0 ? 'All checks passed.' : `Failed: ${failed.join(', ')}.`);
  return failed.length === 0 ? 0 : 1;
}

/** What is written from the sources: texts and documents. */
const WRITERS = [
  'test/rules/translations/writeEnglish.ts',
  'test/rules/limits/writeLimits.ts',
  'test/server/http/calls/writeCalls.ts',
];

/**
 * Writes what is written from the sources, then runs lint and format; each says what it could not do and the next runs all the same.
 * @param {readonly string[]} args of Biome
 */
async function fix(args) {
  // The calls are read from an app with a database.
  await ensureAddons();
  const scripts = [...WRITERS.map((writer) => [programs.tsx, writer]), [programs.biome, 'check', '--write', ...args]];
  return firstFault(scripts.map((script) => () => runNode(script)));
}

/**
 * The same tests at the counts that take hours, and those that have no short form; without arguments the planted faults, too.
 * @param {readonly string[]} args
 */
function testLong(args = []) {
  const tests = () => runTests(args, { LONG_TESTS: 'true', FUZZ_RUNS: '1000000' });
  return args.length === 0 ? firstFault([tests, () => testMutants([])]) : tests();
}

/** @param {readonly string[]} args */
function testMutants(args) {
  return runWithAddons(() => runNode([programs.tsx, 'test/mutants/main.ts', ...args]));
}

/**
 * Runs all of them, whatever fails; resolves with the first exit code that tells of a fault.
 * @param {readonly (() => number | Promise<number>)[]} parts
 */
async function firstFault(parts) {
  const codes = [];
  for (const part of parts) codes.push(await part());
  return codes.find((code) => code !== 0) ?? 0;
}

/**
 * Runs checks one after another; resolves with those that failed.
 * @param {readonly { what: string, script: readonly string[] }[]} checks
 */
async function failedOf(checks) {
  const failed = [];
  for (const { what, script } of checks) {
    if ((await runNode(script)) !== 0) failed.push(what);
  }
  return failed;
}

/** Addons are for the next command: their compiler has one thread, which would have the machine to itself there. */
async function failedAddons() {
  try {
    await ensureAddons();
    return [];
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    return ['native addons'];
  }
}

/**
 * @param {() => number | Promise<number>} run
 */
async function runWithAddons(run) {
  await ensureAddons();
  return run();
}

/** Two programs in one terminal: neither may wipe away what the other says. */
function dev() {
  return runTogether([
    { script: [programs.tsx, 'watch', '--clear-screen=false', 'server/main.ts'] },
    { script: [programs.vite, '--clearScreen', 'false'] },
  ]);
}

/**
 * @param {string} file in the built gateway
 * @param {readonly string[]} args
 */
async function runProduct(file, args) {
  await ensureRunnable();
  return runNode([join(builtGateway, file), ...args], { env: production() });
}

/**
 * The same for a gateway, which is started again after a fault.
 * @param {string} file
 * @param {readonly string[]} args
 */
async function runGateway(file, args) {
  await ensureRunnable();
  return superviseGateway({
    run: (env) => watchNode([join(builtGateway, file), ...args], { env: { ...production(), ...oneArena(), ...env } }),
    wait: waitUnlessStopped,
    now: () => performance.now(),
    say: (text) => console.error(text),
  });
}

/**
 * glibc gives each thread that allocates an arena of its own, up to eight for each processor, and keeps what was freed in each:
 * 30 MiB of a gateway with 5,000 terminals. It reads the variable when the process starts. Other C libraries ignore it.
 */
function oneArena() {
  return { MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? '1' };
}

function production() {
  return { NODE_ENV: process.env.NODE_ENV ?? 'production' };
}
