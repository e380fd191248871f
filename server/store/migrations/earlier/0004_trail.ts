import { type Migration, withSerial } from '../migration.ts';

export const trail: Migration = {
  version: 4,
  name: 'audit and missing translations',
  async up(db, engine) {
    const { schema } = db;
    await withSerial(schema.createTable('audit'), engine, 'id')
      .addColumn('at_ms', 'bigint', (c) => c.notNull())
      .addColumn('actor', 'text', (c) => c.notNull())
      .addColumn('action', 'text', (c) => c.notNull())
      .addColumn('target', 'text', (c) => c.notNull())
      .addColumn('address', 'text', (c) => c.notNull())
      .addColumn('detail', 'text', (c) => c.notNull())
      .execute();
    await schema.createIndex('audit_by_time').on('audit').column('at_ms').execute();
    await schema
      .createTable('missing_translation')
      .addColumn('language', 'text', (c) => c.notNull())
      .addColumn('namespace', 'text', (c) => c.notNull())
      .addColumn('key', 'text', (c) => c.notNull())
      .addColumn('first_seen_at_ms', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('missing_translation_key', ['language', 'namespace', 'key'])
      .execute();
  },
};
