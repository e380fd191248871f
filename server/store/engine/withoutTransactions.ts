import type { Dialect, Driver } from 'kysely';

/**
 * For a connection that reads: every statement sees a state of its own. A transaction would hold one state of the database for as long
 * as its caller takes, and on the embedded database keep out all the others.
 */
export function withoutTransactions(dialect: Dialect): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createDriver: () => refuseTransactions(dialect.createDriver()),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  };
}

async function refuse(): Promise<never> {
  throw new Error('the reading connection takes single statements and no transactions');
}

function refuseTransactions(driver: Driver): Driver {
  return {
    init: () => driver.init(),
    acquireConnection: () => driver.acquireConnection(),
    releaseConnection: (connection) => driver.releaseConnection(connection),
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    destroy: () => driver.destroy(),
  };
}
