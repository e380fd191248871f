// `npm run bench`: prints each table and writes the same figures to test/output/bench.json.
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { findFfmpeg } from '../support/ffmpeg.ts';
import { benchPlayers } from './player/row.ts';
import { benchRanges } from './ranges/row.ts';
import { benchRecord, benchRecordThroughput } from './record/row.ts';
import { benchRelay } from './relay/row.ts';
import { type Row, renderTable } from './table.ts';

const output = join(import.meta.dirname, '../output');

interface Bench {
  readonly name: string;
  readonly run: () => Promise<Row[]>;
}

const BENCHES: readonly Bench[] = [
  {
    name: 'player',
    run: () => {
      const found = findFfmpeg();
      if (found === undefined)
        throw new Error('the players are compared on pictures that ffmpeg makes; it is not here');
      return benchPlayers({ channels: [1], repetitions: 2, ffmpegPath: found.ffmpegPath, cacheFolder: output });
    },
  },
  { name: 'relay', run: benchRelay },
  { name: 'record', run: benchRecord },
  { name: 'record-throughput', run: benchRecordThroughput },
  { name: 'ranges', run: benchRanges },
];

const wanted = process.argv.slice(2);
const chosen = wanted.length === 0 ? BENCHES : BENCHES.filter(({ name }) => wanted.includes(name));
if (chosen.length === 0) throw new Error(`the benches are: ${BENCHES.map(({ name }) => name).join(', ')}`);

const results: Record<string, Row[]> = {};
for (const { name, run } of chosen) {
  const rows = await run();
  results[name] = rows;
  process.stdout.write(`\n## ${name}\n\n${renderTable(rows)}\n`);
}
await mkdir(output, { recursive: true });
const machine = { processors: cpus().length, model: cpus()[0]?.model, node: process.version };
await writeFile(join(output, 'bench.json'), `${JSON.stringify({ machine, results }, null, 2)}\n`);
