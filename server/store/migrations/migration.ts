import type { CreateTableBuilder, Kysely } from 'kysely';

export type Engine = 'sqlite' | 'postgres';

/**
 * One step of the schema, forward only. A step that has been released is never changed again: the next one corrects it.
 * Steps name tables as text, since the types describe the newest schema and a step works on an older one.
 */
export interface Migration {
  readonly version: number;
  readonly name: string;
  up(db: Kysely<unknown>, engine: Engine): Promise<void>;
}

/** A primary key that the engine counts up by itself and never gives twice. */
export function withSerial<Table extends string>(
  builder: CreateTableBuilder<Table, never>,
  engine: Engine,
  column: string,
): CreateTableBuilder<Table, string> {
  return engine === 'sqlite'
    ? builder.addColumn(column, 'integer', (c) => c.primaryKey().autoIncrement())
    : builder.addColumn(column, 'bigint', (c) => c.primaryKey().generatedByDefaultAsIdentity());
}
