/** Whether a statement failed because a key was taken or a row that it refers to is gone, on either engine. */
export function isConstraintFailure(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false;
  // PostgreSQL's class 23: integrity constraint violation.
  return error.code.startsWith('SQLITE_CONSTRAINT') || /^23\d{3}$/.test(error.code);
}
