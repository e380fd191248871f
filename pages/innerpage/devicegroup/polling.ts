/** Terminals come and go by themselves, and nobody edits a record by it: what shows them is asked for again. */
export const TERMINALS_EVERY_MS = 10_000;
