// A lock between processes that ends with the one that holds it, however that ends: the embedded engine's own, on a file that is
// otherwise empty. A number of a process in a file would be another one's after the next start of a container.
import Database from 'better-sqlite3';

export interface FileLock {
  release(): void;
}

/** Undefined: it is held already, by whichever process. The file stays. */
export function lockFile(path: string): FileLock | undefined {
  const database = new Database(path, { timeout: 0 });
  try {
    // Nothing is written: no journal lies beside it.
    database.pragma('journal_mode = MEMORY');
    database.exec('begin exclusive');
  } catch (error) {
    database.close();
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return undefined;
    throw error;
  }
  // What was not committed ends with the connection.
  return { release: () => void database.close() };
}
