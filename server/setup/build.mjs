// Builds the product: the gateway to dist/gateway, the pages to dist/web. The gateway is compiled file by file and not bundled: a stack
// trace names the file that one edits, and the notices list the packages that its compiled code imports.
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { stampBuild } from './buildStamp.mjs';
import { quiet, runNode, StepFailed } from './child.mjs';
import { compressFolder } from './compress.mjs';
import { filesBelow } from './files.mjs';
import { builtGateway, bundled, programs, root, web } from './paths.mjs';

export async function build() {
  console.error('Building ...');
  await buildGateway();
  await buildPages();
  await step('the notices', [programs.writeNotices]);
  rmSync(bundled, { recursive: true });
  await compressFolder(web);
  stampBuild();
}

async function buildGateway() {
  // The compiler leaves behind what a deleted source was compiled to.
  rmSync(builtGateway, { recursive: true, force: true });
  // `npm run check` looks at the types, which takes eight times as long as writing the code without them.
  // With the simulator, which stands on it.
  await step('the gateway', [programs.tsc, '-p', 'simulator/tsconfig.json', '--noEmit', 'false', '--noCheck']);
  const files = ['server', 'simulator'].flatMap((folder) => filesBelow(join(root, folder)));
  for (const path of files.map((file) => relative(root, file)).filter(isAsset)) {
    const target = join(builtGateway, path);
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(join(root, path), target);
  }
}

async function buildPages() {
  // What a build that was cut short has left is not what this one ships.
  rmSync(bundled, { recursive: true, force: true });
  await step('the pages', [programs.vite, 'build', '--logLevel', 'warn']);
  const innerPages = join(root, 'pages/innerpage');
  if (!filesBelow(innerPages).some((path) => path.endsWith('.html'))) return;
  await step('the inner pages', [
    programs.vite,
    'build',
    '--logLevel',
    'warn',
    '--config',
    `${innerPages}/vite.config.ts`,
  ]);
}

/**
 * What the built code reads at run time beside it, such as the simulator's clips.
 * @param {string} path in the repository
 */
export function isAsset(path) {
  return !path.startsWith(join('server', 'setup', sep)) && !/\.(ts|tsx|mjs)$|(^|[/\\])tsconfig\.json$/.test(path);
}

/**
 * @param {string} what
 * @param {readonly string[]} script
 */
async function step(what, script) {
  // A production build, whatever the shell that called it works in.
  const exitCode = await runNode(script, { stdio: [...quiet], env: { NODE_ENV: 'production' } });
  if (exitCode !== 0) throw new StepFailed(`Building ${what} failed.`, exitCode);
}
