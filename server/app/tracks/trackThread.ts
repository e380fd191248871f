// Has tracks read in a thread, and owns it.
import type { Worker } from 'node:worker_threads';
import type { TrackLine } from '../../../shared/protocol/api/tracks/track.ts';
import { createAskedThread } from '../../faults/askedThread.ts';
import type { OnFault } from '../../faults/onFault.ts';
import { startThread } from '../../faults/threads.ts';
import type { ThreadWatch } from '../../faults/threadWatch.ts';
import type { DatabaseLocation } from '../../store/engine/database.ts';
import { compiledThread } from '../../store/engine/sqlite/sourceThread.ts';
import type { OnDamagedBlock } from '../../store/fleet/blocks/damagedBlocks.ts';
import type { TrackSeries } from '../../tracks/chart/readChart.ts';
import type { TrackQuery } from '../../tracks/line/gatewayOrder.ts';
import type { TrackReader } from '../../tracks/trackReader.ts';
import type { AskedTrack, TrackAnswer, TrackQuestion, TrackThreadData } from './messages.ts';

/** Compiled, this module and its worker are .js. */
const program = import.meta.url.endsWith('.js') ? new URL('./track.worker.js', import.meta.url) : undefined;
const source = new URL('./track.worker.ts', import.meta.url);

async function start(workerData: TrackThreadData, onEnd: (error: unknown) => void): Promise<Worker> {
  if (program !== undefined) return startThread(program, { workerData }, onEnd);
  return startThread(await compiledThread(source), { workerData, eval: true, execArgv: [] }, onEnd);
}

export interface TrackThreadDeps {
  readonly database: DatabaseLocation;
  readonly onDamagedBlock: OnDamagedBlock;
  readonly onFault: OnFault;
  readonly watch?: ThreadWatch;
}

export interface TrackThread extends TrackReader {
  close(): Promise<void>;
}

/** The thread is started by the first track. */
export function createTrackThread({ database, onDamagedBlock, onFault, watch }: TrackThreadDeps): TrackThread {
  const thread = createAskedThread<TrackQuestion, TrackAnswer>({
    name: 'the thread that reads tracks',
    start: (onEnd) => start({ database }, onEnd),
    onFault,
    watch,
  });
  const ask = async <Name extends TrackQuestion['type']>(
    question: TrackQuestion & { readonly type: Name },
    gone: AbortSignal,
  ): Promise<TrackAnswers[Name]> => {
    const { track, damaged } = await thread.ask(question, gone);
    for (const block of damaged) onDamagedBlock(block);
    return track as TrackAnswers[Name];
  };
  return {
    line: (query, options, gone) => ask({ type: 'line', track: askedOf(query), options }, gone),
    chart: (query, steps, gone) => ask({ type: 'chart', track: askedOf(query), steps }, gone),
    close: () => thread.close(),
  };
}

interface TrackAnswers {
  readonly line: TrackLine;
  readonly chart: TrackSeries;
}

/** A query may be more than that, and a clock has methods: neither can be sent. */
function askedOf({ incarnation, clock, fromMs, toMs }: TrackQuery): AskedTrack {
  return { incarnation, clockSteps: clock.steps, fromMs, toMs };
}
