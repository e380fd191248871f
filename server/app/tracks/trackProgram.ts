// What the thread of tracks does. It has a connection of its own: positions that another thread reads would have to be copied here.
import { parentPort, workerData } from 'node:worker_threads';
import { DeviceClock } from '../../../shared/protocol/tracks/deviceClock.ts';
import { answerQuestions } from '../../faults/askedThread.ts';
import { createYielder } from '../../http/devices/import/yielder.ts';
import type { StoreDb } from '../../store/engine/database.ts';
import { openReadingConnection } from '../../store/engine/readingConnection.ts';
import type { DamagedBlock } from '../../store/fleet/blocks/damagedBlocks.ts';
import { createPositionStore } from '../../store/fleet/positions.ts';
import { createTrackReader } from '../../tracks/trackReader.ts';
import type { TrackAnswer, TrackQuestion, TrackThreadData } from './messages.ts';

export function runThread(): void {
  if (parentPort === null) throw new Error('the thread of tracks was started as a program');
  const { database } = workerData as TrackThreadData;
  const db = openReadingConnection(database, (error) => {
    throw error;
  });
  answerQuestions<TrackQuestion, TrackAnswer>(parentPort, (question, gone) => answer(db, question, gone));
}

/** Takes turns with other questions, and with messages that nobody waits any more. */
async function answer(db: StoreDb, question: TrackQuestion, gone: AbortSignal): Promise<TrackAnswer> {
  const damaged: DamagedBlock[] = [];
  const reader = createTrackReader(
    createPositionStore(db, db, (block) => damaged.push(block)),
    createYielder,
  );
  const { clockSteps, ...span } = question.track;
  const query = { ...span, clock: new DeviceClock(clockSteps) };
  const track =
    question.type === 'line'
      ? await reader.line(query, question.options, gone)
      : await reader.chart(query, question.steps, gone);
  return { track, damaged };
}
