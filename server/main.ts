// `npm start`: the only module beside the demo's entry that reads the environment.
import { helpText } from './config/help.ts';
import { readConfig } from './config/readConfig.ts';
import { startGateway } from './gateway.ts';
import { createLog } from './log.ts';
import { runUntilSignal } from './runUntilSignal.ts';

async function main(): Promise<void> {
  if (process.argv.includes('--help')) {
    process.stdout.write(helpText());
    return;
  }
  const read = readConfig(process.env);
  if (!read.ok) {
    process.stderr.write(`${read.problems.join('\n')}\n`);
    process.exitCode = 1;
    return;
  }
  const log = createLog(read.config.logLevel);
  const gateway = await startGateway(read.config, { log });
  runUntilSignal(log, gateway.close);
  process.stdout.write(`Ready: ${gateway.address}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`The gateway could not start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
