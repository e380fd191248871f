// The soak as a table.
import { rounded } from '../statistics.ts';
import type { Row } from '../table.ts';
import { type SoakMinute, soak } from './measure.ts';

export async function benchSoak(minutes: number, onProgress: (text: string) => void): Promise<Row[]> {
  const taken = await soak(minutes, ({ minute }) => onProgress(`soak: minute ${minute} of ${minutes}`));
  return taken.map(rowOf);
}

function rowOf({ minute, browserMib, heapMib, gatewayMib, pictures }: SoakMinute): Row {
  return {
    minute,
    pictures,
    'browser MiB': rounded(browserMib),
    'page heap MiB': rounded(heapMib, 2),
    'gateway MiB': rounded(gatewayMib),
  };
}
