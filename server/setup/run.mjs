// What every npm script calls: `node server/setup/run.mjs <command> [arguments]`.
// Written for old versions of Node too, up to the line that refuses them; what needs a newer one is imported after it.
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { nodeComplaint } from './nodeVersion.mjs';

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const complaint = nodeComplaint(process.versions.node, manifest.engines.node);
if (complaint === null) {
  const { runCommand } = await import('./commands.mjs');
  process.exitCode = await runCommand(process.argv[2], process.argv.slice(3));
} else {
  console.error(complaint);
  process.exitCode = 1;
}
