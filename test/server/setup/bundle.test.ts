import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sourceStack } from '../../../server/process/sourceStack.ts';
import { bundle } from '../../../server/setup/bundle.mjs';
import { createTempFolder, type TempFolder } from '../../support/tempFolder.ts';

const run = promisify(execFile);
const SOURCES = {
  'server/main.ts': `import { askThread } from './deep/thread.ts';
console.log(await askThread());
`,
  'server/other.ts': `import { askThread } from './deep/thread.ts';
import { fail } from './deep/fault.ts';
export const asked = askThread;
fail();
`,
  'server/deep/thread.ts': `import { Worker } from 'node:worker_threads';
import { once } from 'node:events';
const program = new URL('./thread.worker.js', import.meta.url);
export async function askThread(): Promise<unknown> {
  const [answer] = await once(new Worker(program), 'message');
  return answer;
}
`,
  'server/deep/thread.worker.ts': `import { parentPort } from 'node:worker_threads';
parentPort?.postMessage('the thread was here');
`,
  'server/deep/fault.ts': `// What throws stands in the fourth line.

export function fail(): never {
  throw new RangeError('thrown on purpose');
}
`,
};
const ENTRIES = ['server/main.ts', 'server/other.ts', 'server/deep/thread.worker.ts'];

let folder: TempFolder;
beforeEach(async () => {
  folder = await createTempFolder();
  await write('package.json', '{"type":"module"}');
  for (const [path, text] of Object.entries(SOURCES)) await write(path, text);
});
afterEach(() => folder.remove());

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder.path, path)), { recursive: true });
  await writeFile(join(folder.path, path), text);
}

const output = () => join(folder.path, 'out');
const bundleAll = () => bundle({ root: folder.path, entries: ENTRIES, output: output(), chunks: 'server/chunks' });

describe('bundle', () => {
  it('gives programs that find their threads from what they share', async () => {
    await bundleAll();
    const { stdout } = await run(process.execPath, [join(output(), 'server/main.js')]);
    expect(stdout).toBe('the thread was here\n');
  });

  it('says where in the sources an error was thrown', async () => {
    await bundleAll();
    const failed = await run(process.execPath, [join(output(), 'server/other.js')]).then(
      () => '',
      ({ stderr }: { stderr: string }) => stderr,
    );
    expect(failed).toMatch(/at fail \(file:.*\/out\/server\/[\w/]+\.js:\d+:\d+\)/);
    expect(sourceStack(failed)).toContain('at fail (server/deep/fault.ts:4)');
  });

  it('refuses what would not find its way in a bundle', async () => {
    await write('server/deep/fault.ts', 'export const fail = (): string => import.meta.dirname;\n');
    await expect(bundleAll()).rejects.toThrow('only import.meta.url outlasts a bundle');
  });
});
