// Files that members import, as the calls read them.
import type { ImportReader } from '../../http/imports/importReader.ts';
import { type Context, toolsOf } from '../context.ts';
import { createImportThread } from './importThread.ts';

export function startImports(context: Context): ImportReader {
  const { closing, onLimit } = context;
  const { runAfter, onFault } = toolsOf(context, 'imports');
  const thread = createImportThread({ runAfter, onFault, onLimit });
  closing.add('thread of imports', () => thread.close());
  return thread;
}
