// Deleting what may be very much: in parts, so that no statement holds the database's one thread for long.
import type { DeleteResult } from 'kysely';

/** Some ten milliseconds of work. */
const ROWS_PER_DELETION = 1_000;

interface Deletion {
  executeTakeFirst(): Promise<DeleteResult | undefined>;
}

/** Runs a deletion of at most so many rows until it finds fewer. Other statements come in between. */
export async function deleteInParts(deletion: (limit: number) => Deletion): Promise<void> {
  for (;;) {
    const result = await deletion(ROWS_PER_DELETION).executeTakeFirst();
    if (Number(result?.numDeletedRows ?? 0n) < ROWS_PER_DELETION) return;
  }
}
