// Files that members import, as the calls read them.
import { createRunAfter } from '../../faults/timers.ts';
import type { ImportReader } from '../../http/imports/importReader.ts';
import type { OnLimit } from '../../limits/limit.ts';
import type { Closing } from '../../process/closing.ts';
import type { Log } from '../../process/log.ts';
import { createImportThread } from './importThread.ts';

interface ImportsDeps {
  readonly log: Log;
  readonly closing: Closing;
  readonly onLimit: OnLimit;
}

export function startImports({ log, closing, onLimit }: ImportsDeps): ImportReader {
  const onFault = (error: Error): void => log.error({ err: error }, 'imports');
  const thread = createImportThread({ runAfter: createRunAfter(onFault), onFault, onLimit });
  closing.add('thread of imports', () => thread.close());
  return thread;
}
