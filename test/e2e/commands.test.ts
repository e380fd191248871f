// What `npm start` and `npm run demo` call, with the built gateway: who starts it again after a fault.
import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HEALTH_PATH, type Health } from '../../shared/protocol/api/system/health.ts';
import { FAULT_ON_SIGNAL, logOf, type Program, runProgram, startsOf, whenReady } from '../support/gateway/program.ts';
import { createTempFolder, type TempFolder } from '../support/tempFolder.ts';
import { waitFor } from '../support/waitFor.ts';

const TOKEN = 'token-of-the-test';
const AGAIN = 'The gateway ended by a fault (exit code 70). It is started again in 1 s.\n';

let folder: TempFolder;
beforeEach(async () => {
  folder = await createTempFolder();
});
afterEach(() => folder.remove());

const command = (name: string, env: Readonly<Record<string, string>>): Program =>
  runProgram(['server/setup/run.mjs', name], { METRICS_TOKEN: TOKEN, ...env });

/** The gateway, which the command runs as its one child. */
const gatewayOf = ({ child }: Program): number =>
  Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim());

async function expectServed(address: string): Promise<void> {
  expect((await fetch(`${address}/healthz`)).status).toBe(200);
  const metrics = await fetch(`${address}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
  const text = await metrics.text();
  expect(text).toMatch(/^fleetglass_restarts 1$/m);
  expect(text).toMatch(/^fleetglass_reports_running \d+$/m);
  expect(text).toMatch(/^fleetglass_report_results_bytes \d+$/m);
}

async function signIn(address: string, body: Readonly<Record<string, string | undefined>>): Promise<string> {
  const headers = { 'content-type': 'application/json', origin: address };
  const answer = await fetch(`${address}/api/user/login`, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(answer.status).toBe(200);
  return answer.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
}

/** The demo's backup lies on the disk of its data, which Version warns of. */
async function expectBackupWarning(address: string, { output }: Program): Promise<void> {
  const [, username, password] = /sign in as (\S+) \/ (\S+)/.exec(output.out) ?? [];
  const cookie = await signIn(address, { username, password });
  const backup = await waitFor(
    'the warning',
    async () => {
      const answer = await fetch(address + HEALTH_PATH, { headers: { cookie } });
      const { data } = (await answer.json()) as { readonly data: Health };
      return data.checks.find(({ kind }) => kind === 'backup');
    },
    (check) => check?.state === 'warning' && check.advice === 'move-backups',
    60_000,
  );
  expect(backup?.values).toMatchObject([{ name: 'last-at', value: expect.any(Number) }, { name: 'tested-at' }]);
}

describe('a command that runs a gateway', { timeout: 120_000 }, () => {
  it.each([
    ['start', 'rejection'],
    ['demo', 'exception'],
  ])('starts it again after a fault, says so, and ends with it when it is stopped: %s', async (name, kind) => {
    // The demo makes a folder of its own, for temporary files, unless it is told of one.
    const data: Record<string, string> = name === 'demo' ? { TMPDIR: folder.path } : { DATA_DIR: folder.path };
    const program = command(name, { ...data, FAULT_KIND: kind, NODE_OPTIONS: `--import ${FAULT_ON_SIGNAL}` });
    const before = await whenReady(program, 1);
    // Before the fault: a backup that is under way keeps the end waiting.
    if (name === 'demo') await expectBackupWarning(before, program);
    const first = gatewayOf(program);
    process.kill(first, 'SIGUSR2');
    const address = await whenReady(program, 2);
    expect(program.output.err).toContain(AGAIN);
    expect(logOf(program).find(({ level }) => level === 60)).toMatchObject({ kind });
    expect(gatewayOf(program)).not.toBe(first);
    await expectServed(address);
    program.child.kill('SIGTERM');
    expect(await program.exited).toBe(0);
    expect(startsOf(program)).toBe(2);
    if (name === 'demo') expect(readdirSync(folder.path)).toEqual([]);
  });

  it('does not start it again when it could not start', async () => {
    const program = command('start', { DATA_DIR: folder.path, PORT: 'eighty' });
    expect(await program.exited).toBe(1);
    expect(program.output).toEqual({ out: '', err: 'PORT takes a whole number from 0 to 65535, not "eighty"\n' });
  });
});
