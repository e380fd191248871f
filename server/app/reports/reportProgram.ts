// The program of report threads: one thread for each report that is made, and one that reads the results.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { answerQuestions } from '../../faults/askedThread.ts';
import { placesAmong } from '../../fences/directory/fenceDirectory.ts';
import { fileContent } from '../../http/reports/fileContent.ts';
import { coordinates, type PlaceOf, type ReportSources } from '../../reports/reportKind.ts';
import { makeReport } from '../../reports/reportTask.ts';
import { createResultRequests } from '../../reports/results/resultRequests.ts';
import { createSamplesOf } from '../../reports/trackSamples.ts';
import type { StoreDb } from '../../store/engine/database.ts';
import { openReadingConnection } from '../../store/engine/readingConnection.ts';
import { createFenceStore } from '../../store/fences/fences.ts';
import { onceForEach } from '../../store/fleet/blocks/damagedBlocks.ts';
import { createPositionStore } from '../../store/fleet/positions.ts';
import type { FromRun, ReportThreadData, RunData } from './messages.ts';

/** Minimum time between progress messages: each one updates pages. */
const PROGRESS_MS = 250;

async function run({ database, task, recordingPreset, overheadPercent }: RunData, port: MessagePort): Promise<void> {
  const tell = (message: FromRun): void => port.postMessage(message);
  const db = openReadingConnection(database, (error) => {
    throw error;
  });
  const onDamagedBlock = onceForEach((block) => tell({ type: 'damaged', block }));
  const sources: ReportSources = {
    db,
    placeOf: await placesIn(db, task.memberGroup),
    samplesOf: createSamplesOf(createPositionStore(db, db, onDamagedBlock)),
    recordingPreset,
    overheadPercent,
  };
  let toldAtMs = Number.NEGATIVE_INFINITY;
  const outcome = await makeReport(task, sources, (progress) => {
    const nowMs = performance.now();
    if (nowMs - toldAtMs < PROGRESS_MS) return;
    toldAtMs = nowMs;
    tell({ type: 'progress', progress });
  });
  await db.destroy();
  tell({ type: 'done', outcome });
}

/** Names places by the current names of the member group's geofences. */
async function placesIn(db: StoreDb, memberGroup: number): Promise<PlaceOf> {
  const nameAt = placesAmong(await createFenceStore(db, db).all(), memberGroup, Date.now());
  return (latitude, longitude) => nameAt(latitude, longitude) || coordinates(latitude, longitude);
}

export async function runThread(): Promise<void> {
  if (parentPort === null) throw new Error('the thread of reports was started as a program');
  const data = workerData as ReportThreadData;
  if (data.does === 'read') answerQuestions(parentPort, createResultRequests(fileContent));
  else await run(data, parentPort);
}
