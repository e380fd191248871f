// Runs the tests with what they need beside Node.
import process from 'node:process';
import { runNode } from './child.mjs';
import { ensureAddons, ensureRunnable } from './ensure.mjs';
import { programs } from './paths.mjs';
import { missingLine, provideOrFail } from './provide.mjs';
import { withTestFolder } from './testFolder.mjs';
import { chromium, ffmpeg, packageCheckers, postgres } from './tools.mjs';

/**
 * @param {readonly string[]} args of Vitest: parts of file names, or its flags
 * @param {Record<string, string>} env
 */
export async function runTests(args, env) {
  const isCi = process.env.CI === 'true';
  const others = [ffmpeg, packageCheckers, postgres];
  const tools = needsProduct(args) ? [chromium, ...others] : others;
  const provided = await provideOrFail(tools, (tool) => isCi || tool === chromium, isCi);
  await (needsProduct(args) ? ensureRunnable() : ensureAddons());
  const notes = provided.missing.map((tool) => `Skipped: ${tool.neededBy}. ${missingLine(tool)}`).join('\n');
  const script = [programs.vitest, 'run', '--config', 'test/vitest.config.ts', ...projectsFor(args), ...args];
  return withTestFolder((folder) =>
    runNode(script, { env: { ...provided.env, ...env, ...folder, SKIPPED_NOTES: notes } }),
  );
}

/**
 * Whether the chosen tests include some that run the built product in a browser. Without a choice they do.
 * @param {readonly string[]} args
 */
export function needsProduct(args) {
  return args.length === 0 || args.some((arg) => !/^(\.\/)?test\/(dom|rules|server|unit)(\/|$)/.test(arg));
}

/**
 * The rules are of the source and not of what it does: `npm run check` holds them, and a run of all tests leaves them to it.
 * @param {readonly string[]} args
 */
export function projectsFor(args) {
  return args.some((arg) => !arg.startsWith('-')) ? [] : ['--project=!rules'];
}
