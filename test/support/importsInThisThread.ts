import { readImportFile } from '../../server/http/devices/import/readFile.ts';
import { createYielder } from '../../server/http/devices/import/yielder.ts';
import { readFenceFile } from '../../server/http/fences/import/readFile.ts';
import type { ImportReader } from '../../server/http/imports/importReader.ts';

/** Without a thread, which takes longer to start than most tests. */
export const importsInThisThread: ImportReader = {
  devices: ({ bytes }, encoding) => readImportFile(bytes, createYielder(), encoding),
  fences: ({ bytes }, reading) => readFenceFile(bytes, reading, createYielder()),
};
