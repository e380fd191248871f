import pg from 'pg';
import { expect, it } from 'vitest';
import { withServerOptions } from '../../../../server/store/engine/postgres/serverOptions.ts';

const READ_ONLY = '-c default_transaction_read_only=on';

it.each([
  ['postgres://user:secret@host:5433/fleet', READ_ONLY],
  ['postgres://user:secret@host:5433/fleet?ssl=1', READ_ONLY],
  // What the operator has set stays, and ours comes last, where it counts.
  ['postgres://user:secret@host:5433/fleet?options=-c%20search_path%3Dfleet', `-c search_path=fleet ${READ_ONLY}`],
  ['postgres://user:secret@host:5433/fleet?options=-c+search_path%3Dfleet&ssl=1', `-c search_path=fleet ${READ_ONLY}`],
])('%s is connected to with the options as well', (url, options) => {
  const client = new pg.Client({ connectionString: withServerOptions(url, READ_ONLY) });
  const { user, password, host, port, database } = client;
  expect({ user, password, host, port, database }).toEqual({
    user: 'user',
    password: 'secret',
    host: 'host',
    port: 5433,
    database: 'fleet',
  });
  expect(parametersOf(client)).toMatchObject({ options });
});

it('keeps the path of a socket', () => {
  const url = withServerOptions('postgresql://postgres@localhost/postgres?host=%2Ftmp%2Fa%20b', READ_ONLY);
  const client = new pg.Client({ connectionString: url });
  expect([client.host, parametersOf(client).options]).toEqual(['/tmp/a b', READ_ONLY]);
});

/** What the client sends when it connects; its types leave them out. */
function parametersOf(client: pg.Client): { readonly options?: string } {
  return (client as unknown as { readonly connectionParameters: { readonly options?: string } }).connectionParameters;
}
