import Database from 'better-sqlite3';

/** Sets it up before anybody has it; where that fails, such as on a full disk, nothing of it stays open. */
export function openSqlite(
  file: string,
  setUp: (database: Database.Database) => void,
  options: Database.Options = {},
): Database.Database {
  const database = new Database(file, options);
  try {
    setUp(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
