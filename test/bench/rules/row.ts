// What the rules of events cost: alone, and in the built gateway with terminals. Method: docs/bench.md.
import { rounded } from '../statistics.ts';
import type { Row } from '../table.ts';
import { benchTerminals, type TerminalsOptions } from '../terminals/row.ts';
import { benchEngine } from './engine.ts';
import { configureRules } from './twentyRules.ts';

const REPETITIONS = 2;
const CPU = 'CPU s/s';

export async function benchRules(options: TerminalsOptions): Promise<Record<string, readonly Row[]>> {
  const engine = benchEngine(options.devices);
  const rows: Row[] = [];
  for (let repetition = 0; repetition < REPETITIONS; repetition++) {
    for (const areOn of [false, true]) {
      options.onProgress(areOn ? 'with rules' : 'without rules');
      const [row] = await benchTerminals({ ...options, prepare: (stores) => configureRules(stores, areOn) });
      if (row !== undefined) rows.push({ rules: areOn ? 20 : 0, ...row });
    }
  }
  return { rules: engine, 'rules in the gateway': rows, 'CPU with rules to CPU without': [ratioOf(rows)] };
}

function ratioOf(rows: readonly Row[]): Row {
  const cpu = (rules: number): number =>
    rows.filter((row) => row.rules === rules).reduce((sum, row) => sum + Number(row[CPU]), 0);
  return { ratio: rounded(cpu(20) / cpu(0), 2) };
}
