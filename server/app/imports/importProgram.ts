// What the thread of imports does.
import { parentPort } from 'node:worker_threads';
import { answerQuestions } from '../../faults/askedThread.ts';
import { readImportFile } from '../../http/devices/import/readFile.ts';
import type { YieldIfDue } from '../../http/devices/import/yielder.ts';
import { readFenceFile } from '../../http/fences/import/readFile.ts';
import type {
  DevicesAnswer,
  DevicesQuestion,
  FencesAnswer,
  FencesQuestion,
  ImportAnswer,
  ImportQuestion,
} from './messages.ts';
import { packRows } from './rowPieces.ts';

/** Nobody else waits for this thread. */
const ALONE: YieldIfDue = () => undefined;

export function runThread(): void {
  if (parentPort === null) throw new Error('the thread of imports was started as a program');
  answerQuestions<ImportQuestion, ImportAnswer>(parentPort, answer);
}

function answer(question: ImportQuestion): Promise<ImportAnswer> {
  return question.type === 'devices' ? readDevices(question) : readFences(question);
}

async function readDevices({ bytes, encoding }: DevicesQuestion): Promise<DevicesAnswer> {
  const file = await readImportFile(bytes, ALONE, encoding);
  return file.ok ? { file: { ...file, rows: [] }, pieces: packRows(file.rows) } : { file, pieces: [] };
}

async function readFences({ bytes, reading }: FencesQuestion): Promise<FencesAnswer> {
  const file = await readFenceFile(bytes, reading, ALONE);
  return file.ok ? { file: { ...file, fences: [] }, pieces: packRows(file.fences) } : { file, pieces: [] };
}
