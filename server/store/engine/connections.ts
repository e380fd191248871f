import type { Dialect } from 'kysely';

/** What an engine connects with. Each dialect is closed by the Kysely that is made of it. */
export interface Connections {
  readonly writing: Dialect;
  /** Called when the schema is there. Undefined: there can be one connection only. */
  openReading(): Promise<Dialect | undefined>;
}
