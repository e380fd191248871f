// Evidence packages as people check them: with programs that know nothing of this product, by the commands of the documentation.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { machine } from '../../server/setup/lookups.mjs';
import { packageCheckers } from '../../server/setup/tools.mjs';

const run = promisify(execFile);
const DOCUMENTATION = join(import.meta.dirname, '../../docs/events.md');

/** For `describe.skipIf(!canCheckPackages())`. In CI a missing program is an error instead. */
export function canCheckPackages(): boolean {
  if (packageCheckers.find(machine) !== undefined) return true;
  if (process.env.CI === 'true') throw new Error(`no ${packageCheckers.name}: ${packageCheckers.advice}`);
  return false;
}

/** Makes the folder. Gives the names of the files. */
export async function unpackPackage(archive: string, folder: string): Promise<string[]> {
  await run('unzip', ['-q', archive, '-d', folder]);
  const { stdout } = await run('unzip', ['-Z1', archive]);
  return stdout.trim().split('\n');
}

export interface PackageCheck {
  readonly isPassed: boolean;
  readonly output: string;
}

/** The hashes of the files, and the signature of the hashes. */
export async function checkPackage(folder: string): Promise<readonly [PackageCheck, PackageCheck]> {
  const [hashes = '', signature = ''] = await documentedCommands();
  return [await check(hashes, folder), await check(signature, folder)];
}

async function documentedCommands(): Promise<string[]> {
  const [, section = ''] = (await readFile(DOCUMENTATION, 'utf8')).split('## Checking an evidence package\n');
  const commands = /```sh\n(.*?)```/s.exec(section)?.[1]?.trim().split('\n') ?? [];
  if (commands.length !== 2) throw new Error(`not two commands: ${commands.join('; ')}`);
  return commands;
}

async function check(command: string, cwd: string): Promise<PackageCheck> {
  // What the programs say is compared: in English, whatever the machine's language.
  const env = { ...process.env, LC_ALL: 'C' };
  return run('sh', ['-c', command], { cwd, env }).then(
    ({ stdout }) => ({ isPassed: true, output: stdout }),
    ({ stdout = '', stderr = '' }: { stdout?: string; stderr?: string }) => ({
      isPassed: false,
      output: stdout + stderr,
    }),
  );
}
