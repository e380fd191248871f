import type { OnFault } from '../../../faults/onFault.ts';
import type { ThreadWatch } from '../../../faults/threadWatch.ts';
import type { Connections } from '../connections.ts';
import { openSqliteClient } from './client.ts';
import { createThreadSqliteDialect } from './dialect.ts';
import { createLogLimit } from './logLimit.ts';
import { openReadingClient } from './readingClient.ts';

interface SqliteEvents {
  /** The thread that reads ended; it is started again. */
  readonly onFault: OnFault;
  /** The thread that writes ended. */
  readonly onLost: OnFault;
  readonly threads?: DatabaseThreads | undefined;
}

/** Who is told of what the threads of the embedded database have to do. */
export interface DatabaseThreads {
  readonly writer: ThreadWatch;
  readonly reader: ThreadWatch;
}

/** One thread that reads and writes, and one that reads. A database in memory belongs to its one connection. */
export async function connectSqlite(file: string, { onFault, onLost, threads }: SqliteEvents): Promise<Connections> {
  const writer = await openSqliteClient({ file, access: 'write' }, onLost, threads?.writer);
  return {
    writing: createThreadSqliteDialect(writer),
    openReading: async () => {
      if (file === ':memory:') return undefined;
      const betweenStatements = createLogLimit(file, writer);
      return createThreadSqliteDialect(
        await openReadingClient({ file, onFault, betweenStatements, watch: threads?.reader }),
      );
    },
  };
}
