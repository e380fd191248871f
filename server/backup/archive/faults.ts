// The faults that an operator sees when there is no backup, or none that can be read.

const ARCHIVE_FAULTS = [
  'not-an-archive',
  'truncated',
  'damaged',
  'wrong-key',
  'key-needed',
  'newer-format',
  'newer-schema',
  'other-product',
  'unknown-table',
  'not-empty',
  'too-large',
  'disk-full',
  'wal-too-large',
  'canceled',
] as const;
export type ArchiveFaultCode = (typeof ARCHIVE_FAULTS)[number];

export interface ArchiveFailure {
  readonly ok: false;
  readonly fault: ArchiveFaultCode;
  /** Text for the log: where, and what was found there. */
  readonly detail: string;
}

/** Ends reading or writing from within; `archiveFailure` turns it into a value at the edge. */
export class ArchiveFault extends Error {
  override readonly name = 'ArchiveFault';
  readonly fault: ArchiveFaultCode;

  constructor(fault: ArchiveFaultCode, detail: string) {
    super(detail);
    this.fault = fault;
  }
}

/** SQLite reports `SHMSIZE` where there is no room for the index of its log, of 32 KiB. */
const FULL_DISK = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', '53100']);
/** Values or keys that the engine refuses: constraints on SQLite, the classes 22 and 23 on PostgreSQL. */
const REFUSED_ROWS = /^(?:SQLITE_(?:CONSTRAINT|MISMATCH|RANGE)|2[23][0-9A-Z]{3}$)/;

/** Undefined: a fault of the gateway or its dependencies, to be rethrown. */
export function archiveFailure(error: unknown): ArchiveFailure | undefined {
  if (error instanceof ArchiveFault) return { ok: false, fault: error.fault, detail: error.message };
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error ? String(error.code) : '';
  if (FULL_DISK.has(code)) return { ok: false, fault: 'disk-full', detail: error.message };
  if (REFUSED_ROWS.test(code)) return { ok: false, fault: 'damaged', detail: error.message };
  return undefined;
}

/** Runs work that reads or writes an archive. */
export async function withFailures<Success extends { readonly ok: true }>(
  run: () => Promise<Success>,
): Promise<Success | ArchiveFailure> {
  try {
    return await run();
  } catch (error) {
    const failure = archiveFailure(error);
    if (failure === undefined) throw error;
    return failure;
  }
}

export function throwIfCanceled(signal: AbortSignal): void {
  if (signal.aborted) throw new ArchiveFault('canceled', 'canceled');
}
